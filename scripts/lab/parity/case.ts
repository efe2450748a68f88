// Test cases of scripts, with defaults: a program is run without arguments, and every function of a library is called.

import type { ListedScript } from './list.ts'

export interface Case {
  readonly args: readonly string[]
  readonly stdin?: string
  /** Files below the workspace. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Code to run instead of the script, whose path is its first argument. */
  readonly code?: string
}

export interface Cases {
  readonly good: Case
  readonly bad: Case
}

const withArgs = (...args: readonly string[]): Case => ({ args })
export const codeCase = (text: string): Case => ({ args: [], code: text })

/** Prints every public name with its kind, calls functions with numbers, texts and nothing, and prints the results. */
const PYTHON = `
import importlib.util, inspect, re, sys
spec = importlib.util.spec_from_file_location('probed', sys.argv[1])
probed = sys.modules['probed'] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(probed)
for name, value in sorted(vars(probed).items()):
    if name.startswith('_') or inspect.ismodule(value): continue
    print(name, type(value).__name__)
    if not inspect.isfunction(value) or value.__module__ != 'probed':
        if isinstance(value, (int, float, str, list, tuple)): print(' ', repr(value)[:200])
        continue
    wanted = [p for p in inspect.signature(value).parameters.values() if p.default is p.empty]
    for one in (0.3, 2, 'a: b', '{"a": [1, 2]}', None):
        try: print(' ', re.sub(' at 0x[0-9a-f]+', '', repr(value(*[one] * len(wanted))))[:200])
        except Exception as error: print(' ', type(error).__name__)
`
const NODE = `
(async () => {
  const path = process.argv[1]
  const probed = /\\.[mc]?ts$|\\.mjs$/.test(path) ? await import(path) : require(path)
  for (const name of Object.keys(probed).sort()) {
    const value = probed[name]
    console.log(name, typeof value, typeof value === 'function' ? value.length : JSON.stringify(value))
    if (typeof value !== 'function') continue
    for (const one of [0.3, 2, 'a: b', Buffer.from('ab'), null, { getEvents: () => [{ type: 2 }] }])
      try {
        const said = await value(one, one, 2, 1)
        console.log(' ', Buffer.isBuffer(said) ? said.toString('hex') : JSON.stringify(said))
      } catch (error) {
        console.log(' ', error.constructor.name)
      }
  }
})()
`

const LIBRARIES = {
  python: { good: codeCase(PYTHON), bad: codeCase(`${PYTHON}\nprobed.NoSuchThing()`) },
  node: {
    good: codeCase(NODE),
    bad: codeCase('import(process.argv[1]).then((probed) => probed.NoSuchThing())'),
  },
}
const PROGRAM: Cases = { good: withArgs(), bad: withArgs('NoSuchThing') }

/** The cases for a script that is not in the list. `text` is the script's text. */
export function usualCases({ language }: ListedScript, text: string): Cases {
  if (language === 'python' && !text.includes('__main__')) return LIBRARIES.python
  if (language === 'node' && !/process\.argv|require\.main/.test(text)) return LIBRARIES.node
  return PROGRAM
}
