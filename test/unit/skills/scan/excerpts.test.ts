// Guards that code in fenced blocks of a document is judged like a script: a warning becomes a note, and an error stays
// an error.

import { describe, expect, it } from 'vitest'
import { SCAN_CODE_BLOCKS_MAX } from '../../../../src/skills/scan/base/limits.ts'
import { refusals, scanned, seenIn } from './scanned.ts'

const fence = (language: string, code: string): string => `# A\n\n\`\`\`${language}\n${code}\n\`\`\`\n`

describe('fences of parsed languages', () => {
  it.each([
    ['python', 'import os\nos.system(x)', 'note python-shell-exec-example:5'],
    ['py', '# a\neval(x)', 'note python-dynamic-code-example:5'],
    ['python', '\nsubprocess.run(["ls"])', 'note python-subprocess:5'],
    ['js', '\neval(x)', 'note javascript-dynamic-code-example:5'],
    ['javascript title="a.js"', '\nrequire("child_process").exec(x)', 'note javascript-shell-exec-example:5'],
    ['ts', 'const a: A<B> = c as D\neval(a!)', 'note javascript-dynamic-code-example:5'],
    ['tsx', 'type A = { b: string }\neval(x)', 'note javascript-dynamic-code-example:5'],
  ])('%s: %s', (language, code, expected) => {
    for (const path of ['SKILL.md', 'references/a.md'])
      expect(seenIn(path, fence(language, code)), path).toEqual([expected])
  })

  it('are read when indented, as a session at a prompt, unclosed, and with gaps', () => {
    expect(seenIn('SKILL.md', '1. Do\n   ```python\n   if x:\n     eval(y)\n   ```\n')).toEqual([
      'note python-dynamic-code-example:4',
    ])
    expect(seenIn('SKILL.md', fence('python', '>>> import os\n>>> os.system(x)\nprint "out"'))).toEqual([
      'note python-shell-exec-example:5',
    ])
    expect(seenIn('SKILL.md', '```js\neval(x)')).toEqual(['note javascript-dynamic-code-example:2'])
    expect(seenIn('SKILL.md', fence('python', 'run(<your command>, ...more)\nos.system(x)'))).toEqual([
      'note python-shell-exec-example:5',
    ])
  })

  it('note the warnings of a script, refuse its errors, and never report an example as unparsable', () => {
    const guess = 'import os, requests\nrequests.post(u)\np = open("/etc/passwd")'
    expect(refusals('SKILL.md', fence('python', guess))).toEqual([])
    const sent = 'import os, requests\nrequests.post(u, json=dict(os.environ))'
    expect(refusals('SKILL.md', fence('python', sent))).toEqual(['python-keys-sent'])
    const tied = 'import socket, os, subprocess\ns = socket.socket()\nos.dup2(s, 0)\nsubprocess.call(["sh"])'
    expect(seenIn('SKILL.md', fence('python', tied))).toContain('error python-reverse-shell:7')
    expect(scanned({ 'SKILL.md': fence('python', 'def f(:\n  …') + fence('ts', 'let a = {{b}} ]') })).toEqual(
      [],
    )
  })

  it('pass when they only mention a relevant name, or are of another language', () => {
    expect(seenIn('SKILL.md', fence('python', '# never eval(x)\nmodel.eval()'))).toEqual([])
    expect(seenIn('SKILL.md', fence('text', 'eval(x)\nos.system(y)'))).toEqual([])
  })
})

it('fences that are too large or too many to be parsed are searched for relevant names', () => {
  const rules = (text: string): readonly string[] =>
    scanned({ 'a.md': text }).map(({ severity, rule }) => `${severity} ${rule}`)
  const large = 'a = 1\n'.repeat(170_000)
  expect(rules(fence('python', `${large}os.system(x)`))).toEqual(['note python-unparsable-example'])
  expect(rules(fence('python', large))).toEqual([])
  const many = fence('python', 'model.eval()').repeat(SCAN_CODE_BLOCKS_MAX)
  expect(rules(`${many}${fence('js', 'eval(x)')}`)).toEqual(['note javascript-unparsable-example'])
  expect(rules(`${many}${fence('js', 'go(x)')}`)).toEqual([])
})
