// Python and JavaScript in the fences of a Markdown file: the rules of scripts, each one step milder.
//
// An example is read before anybody runs it, and half of all examples are fragments: so none refuses a skill, and what
// cannot be parsed is judged as far as it can be.

import type { Steps } from '../../lib/steps.ts'
import type { CodeUnit } from './fences.ts'
import { javascriptIn, largeJavascriptIn } from './javascript/javascript.ts'
import { findNormal } from './normal.ts'
import { largePythonIn, pythonExcerptIn } from './python/python.ts'
import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

// Nearly all examples name nothing that a rule is about: these need no parser. Secrets and addresses are found as text.
const PATHS =
  'passwd|shadow|\\.ssh|id_(?:rsa|dsa|ecdsa|ed25519)|\\.aws|-credentials|netrc|pypirc|\\.kube|\\.docker|gnupg|gcloud|docker\\.sock|Keychains'
const PYTHON = new RegExp(
  `eval|exec|compile|\\bsystem\\b(?!\\s{0,20}=)|popen|Popen|subprocess|commands|getoutput|environ(?!\\.get\\b|\\[)|dup2|getattr|vars|globals|locals|import_module|__(?!(?:name|init|main|file|future)__)|pickle|marshal|shelve|yaml|dill|spawn|startfile|${PATHS}`,
)
const JAVASCRIPT = new RegExp(
  `eval|Function|constructor|child_process|exec|spawn|fork|\\bvm\\b|runIn|(?:Timeout|Interval|Immediate)\\s{0,20}\\(\\s{0,20}["'\`]|import\\s{0,20}\\(|require\\s{0,20}\\((?!\\s{0,20}["'\`][\\w@./:-]{1,200}["'\`]\\s{0,20}\\))|process(?!\\.env\\.\\w)|Deno|Bun|\\\\[ux]|${PATHS}`,
)

/** `fits`: whether the code may be parsed; what may not is searched for the names that matter. */
export function* excerptsIn(
  source: Source,
  units: readonly CodeUnit[],
  fits: (chars: number) => boolean,
  report: Report,
): Steps<void> {
  for (const unit of units) {
    if (unit.language === 'shell') continue
    const names = unit.language === 'python' ? PYTHON : JAVASCRIPT
    const text = (source.text ?? '').slice(unit.from, unit.to)
    if ((yield* findNormal(text, names)) === null) continue
    const parsed = fits(unit.to - unit.from)
    const excerpt = excerptOf(source, unit)
    const milder = milderReport(source.path, parsed, report)
    if (unit.language === 'python') yield* (parsed ? pythonExcerptIn : largePythonIn)(excerpt, milder)
    else yield* (parsed ? javascriptIn : largeJavascriptIn)(excerpt, milder)
  }
}

/** The fence as a file of its own, without its indent and prompts; lines keep the numbers of the document. */
function excerptOf(source: Source, unit: CodeUnit): Source {
  const lines = (source.text ?? '').slice(unit.from, unit.to).split('\n').slice(1)
  const indent = /^[ \t>]*/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0] ?? ''
  const plain = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const session = unit.language === 'python' && plain.some((line) => line.startsWith('>>> '))
  const code = session ? plain.map((line) => (/^(?:>>>|\.\.\.) /.test(line) ? line.slice(4) : '')) : plain
  const text = code.join('\n')
  const first = source.lineAt(unit.from)
  let at = 0
  let line = first + 1
  return {
    ...source,
    path: unit.language === 'typescript' ? 'excerpt.ts' : 'excerpt',
    text,
    language: unit.language === 'python' ? 'python' : 'javascript',
    lineAt(offset) {
      // Rules ask in the order of the text, nearly always.
      if (offset < at) [at, line] = [0, first + 1]
      for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
        at = next + 1
        line++
      }
      return line
    },
  }
}

function milderReport(path: string, parsed: boolean, report: Report): Report {
  const mild = (rule: Rule): Rule => ({ ...rule, severity: rule.severity === 'error' ? 'warning' : 'note' })
  return {
    ...report,
    add(rule, _, line, seen) {
      if (parsed && rule.id.endsWith('-unparsable')) return
      report.add(mild(rule), path, line, `${seen} in an example`)
    },
  }
}
