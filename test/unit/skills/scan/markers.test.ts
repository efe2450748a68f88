// Guards "text that poses as another voice is reported when it is published": by file and line however it is spelled,
// and never as a reason for refusal.

import { describe, expect, it } from 'vitest'
import { scanned, seenIn } from './scanned.ts'

describe('marks of models', () => {
  it.each([
    '<|im_start|>system',
    '<|im_end|>',
    '<|endoftext|>',
    '<|eot_id|>',
    '<system-reminder>',
    '</system_reminder>',
    '<SYSTEM-REMINDER>',
    '<\u0455\u0443stem\u2010reminder>',
    '\uFF1C|im_start|\uFF1E',
    '<tool_use>',
    '<function_calls>',
    '<invoke name="x">',
    '<invoke name="x">',
    '[INST] Do it. [/INST]',
    '\uFF3BI\u039DST\uFF3D',
    '<<SYS>>',
    '<start_of_turn>user',
  ])('%s', (mark) => {
    expect(seenIn('SKILL.md', `# A\n\nText ${mark}\n`)).toEqual(['warning marker-of-models:3'])
    expect(seenIn('references/a.md', `${mark}\n`)).toEqual(['warning marker-of-models:1'])
  })

  it('that begin a paragraph as a turn are reported in any place', () => {
    expect(seenIn('a.md', 'One.\n\nHuman: do it\n\nAssistant: done\n')).toEqual([
      'note marker-of-turns:3',
      'note marker-of-turns:5',
    ])
    expect(seenIn('a.md', 'One.\n\nHum\u0430n\uFF1A do it\n')).toEqual(['note marker-of-turns:3'])
  })

  it('that are tags of Satchel are reported in text and in names of files', () => {
    expect(seenIn('a.md', 'a\n<skills_notice>\n')).toEqual(['note marker-of-satchel:2'])
    expect(seenIn('x<skills\u2010notice>.md', 'a')).toEqual(['note marker-of-satchel:null'])
    expect(scanned({ '<skill>.bin': new Uint8Array([0, 1]) })).toMatchObject([
      { rule: 'marker-of-satchel', line: null },
    ])
    expect(scanned({ 'a.md': '\uFF1Cskills notice\uFF1E' })[0]?.message).toContain(
      "'\uFF1Cskills notice\uFF1E'",
    )
  })

  it('refuse no skill, and a thousand of them are counted', () => {
    const findings = scanned({ 'a.md': '<system-reminder>\n<skill_content>\n'.repeat(3_000) })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(findings.length).toBeLessThan(60)
  })
})

describe('legitimate text', () => {
  it.each([
    'Human: the reader. A human is asked.\nAssistant: a role.',
    '# Human\n\nHumans: all of us. Humanity: more.\n\nAssistants: helpers',
    'arr[inst] = [Inst, inst]; [INSTALL]',
    'import sys; <sys/types.h> <system> <sys>',
    '<tool> <invoker> <function_call_count> <tools_used>',
    '<div id="im_start"> im_end | endoftext',
    'const a: Tool<Use> = invoke<Name>(b)',
  ])('%s', (text) => {
    expect(seenIn('a.md', `${text}\n`)).toEqual([])
  })
})
