// Guards the link checker: it warns of links that a reader of the skill could not follow, with their place, and of
// nothing else.

import { describe, expect, test } from 'vitest'
import { utf8 } from '../../../src/lib/bytes.ts'
import { runSteps } from '../../../src/lib/steps.ts'
import { linkSteps } from '../../../src/skills/check/links.ts'
import { TEA } from './skill-text.ts'
import { HANG_GUARD } from '../hang-guard.ts'

/** Findings as `rule file:line target → fix`, for a skill with this body and these files. */
function output(body: string, files: Readonly<Record<string, string>> = {}): string[] {
  const map = new Map([['SKILL.md', utf8(`${TEA}${body}`)]])
  for (const [path, text] of Object.entries(files)) map.set(path, utf8(text))
  return runSteps(linkSteps(map)).map(({ rule, severity, file, line, message, fix }) => {
    const target = /'([^']+)'/.exec(message)?.[1]
    const better = /Did you mean '([^']+)'/.exec(fix)?.[1]
    return `${severity} ${rule} ${file}:${line} ${target}${better === undefined ? '' : ` → ${better}`}`
  })
}

/** The line at which the body begins in that file. */
const FIRST = TEA.split('\n').length

describe('a link in SKILL.md', () => {
  const FILES = {
    'references/water.md': '',
    'references/a b.md': '',
    'references/Leaf.md': '',
    'scripts/boil.py': '',
    'LICENSE.txt': '',
  }

  test.each([
    ['to a file', '[w](references/water.md)'],
    ['with a dot before', '[w](./references/water.md "Water")'],
    ['with an anchor or a query', '[w](references/water.md#hot) [w](references/water.md?raw)'],
    ['with an encoded space', '[w](references/a%20b.md)'],
    ['in angle brackets', '[w](<references/water.md>)'],
    ['by definition', '[w][1]\n\n[1]: references/water.md'],
    ['to a folder', '[w](references/) [w](./references)'],
    ['to itself', '[top](#top) [me](SKILL.md#tea)'],
    ['elsewhere', '[x](https://example.com/references/none.md) [x](mailto:a@example.com) [x](//host/x.md)'],
    ['absolute', '[x](/etc/none.md) and /usr/share/scripts/none.py'],
    ['by a variable', '[x]($DIR/none.md) [x](${CLAUDE_PLUGIN_ROOT}/none.md) [x]({baseDir}/scripts/boil.py)'],
    [
      'for show',
      '[text](url) [x](<path>/none.md) [x](references/<name>.md) [x](path/to/file.md) [x](…/none.md)',
    ],
    ['in code', '`[x](references/none.md)`\n\n```\n[x](references/gone.md)\n```'],
    ['an existing image', '![w](references/water.md)'],
  ])('%s is valid', (_what, body) => {
    expect(output(body, FILES)).toEqual([])
  })

  test.each([
    ['that does not exist', '[x](references/none.md)', 'link-broken', 'references/none.md', ''],
    ['in another case', '[x](references/leaf.md)', 'link-broken', 'references/leaf.md', 'references/Leaf.md'],
    [
      'in a misnamed folder',
      '[x](reference/water.md)',
      'link-broken',
      'reference/water.md',
      'references/water.md',
    ],
    ['in another folder', '[x](docs/boil.py)', 'link-broken', 'docs/boil.py', 'scripts/boil.py'],
    ['an image', '![x](assets/cup.png)', 'link-broken', 'assets/cup.png', ''],
    ['by definition', '[1]: references/none.md', 'link-broken', 'references/none.md', ''],
  ])('%s is a warning with its line', (_what, body, rule, target, better) => {
    const arrow = better === '' ? '' : ` → ${better}`
    expect(output(`Text.\n\n${body}`, FILES)).toEqual([
      `warning ${rule} SKILL.md:${FIRST + 2} ${target}${arrow}`,
    ])
  })

  test('out of the skill is a note', () => {
    expect(output('[x](../coffee/SKILL.md) [y](../../AGENTS.md#part)')).toEqual([
      `note link-outside SKILL.md:${FIRST} ../coffee/SKILL.md`,
      `note link-outside SKILL.md:${FIRST} ../../AGENTS.md`,
    ])
  })
})

describe('a path in the text', () => {
  const FILES = { 'scripts/boil.py': '', 'references/water.md': '' }

  test('is checked in prose, in code and in code blocks, each target once', () => {
    const body =
      'See references/none.md, `scripts/none.sh` or\n\n```\npython scripts/gone.py --hot\n```\nreferences/none.md'
    expect(output(body, FILES)).toEqual([
      `warning path-missing SKILL.md:${FIRST} references/none.md`,
      `warning path-missing SKILL.md:${FIRST} scripts/none.sh`,
      `warning path-missing SKILL.md:${FIRST + 3} scripts/gone.py`,
    ])
  })

  test.each([
    ['that exists', 'Run scripts/boil.py, ./scripts/boil.py or {baseDir}/scripts/boil.py.'],
    [
      "of the user's files",
      'Put it into docs/plan.md or data/x.csv or src/scripts/x.py or my-app/assets/x.png.',
    ],
    [
      'with a placeholder',
      'Write references/<topic>.md, scripts/{name}.py, assets/*.png, references/your-topic.md.',
    ],
    ['in a folder tree', '├── references/none.md\n│   scripts/none.py\n|-- assets/none.png'],
    ['in a URL', 'https://example.com/scripts/none.py and @scope/scripts/none.js'],
    ['without an extension', 'See references/none or scripts/.'],
  ])('%s is valid', (_what, body) => {
    expect(output(body, FILES)).toEqual([])
  })

  test('in {baseDir} is relative to the skill', () => {
    expect(output('`python {baseDir}/scripts/none.py`', FILES)).toEqual([
      `warning path-missing SKILL.md:${FIRST} scripts/none.py`,
    ])
  })
})

describe('a reference', () => {
  test('may be relative to the root or to its own folder', () => {
    const files = {
      'references/water.md': '[a](references/leaf.md) [b](leaf.md) [c](../scripts/boil.py) [d](../SKILL.md)',
      'references/leaf.md': '',
      'scripts/boil.py': '',
    }
    expect(output('', files)).toEqual([])
  })

  test('is checked like SKILL.md, after it; other documents are not', () => {
    const files = {
      'references/z.md': '\n[x](none.md)',
      'notes.md': '[x](none.md)',
      'assets/a.md': '[x](none.md)',
    }
    expect(output('[x](gone.md)', files)).toEqual([
      `warning link-broken SKILL.md:${FIRST} gone.md`,
      'warning link-broken references/z.md:2 none.md',
    ])
  })
})

describe('hostile documents', () => {
  test.each([
    ['brackets', '['.repeat(900_000)],
    ['half links', ']('.repeat(450_000)],
    ['long targets', `](${'a/'.repeat(450_000)}`],
    ['spaces after a target', `](a.md${' '.repeat(900_000)}`],
    ['backticks', '`'.repeat(899_999)],
    ['folders', 'scripts/'.repeat(110_000)],
    ['dots', `scripts/${'.a'.repeat(450_000)}`],
    ['definitions', `[${'x'.repeat(900_000)}`],
  ])('of %s are read to their end', HANG_GUARD, (_what, body) => {
    expect(output(body).length).toBeLessThanOrEqual(50)
  })

  test('have no more than fifty findings, and quoted text is harmless', () => {
    const many = Array.from({ length: 500 }, (_, at) => `[x](references/n${at}.md)`).join('\n')
    expect(output(many)).toHaveLength(50)
    const map = new Map([['SKILL.md', utf8('[x](references/a\u001b[2J\u202E.md)')]])
    expect(runSteps(linkSteps(map))[0]?.message).toBe("'references/a[2J.md' is not in the skill.")
  })
})
