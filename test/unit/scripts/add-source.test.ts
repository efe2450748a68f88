// Promise: a source that a person writes has one meaning, and a source that could escape, leak a password or fetch
// another scheme is refused.

import { expect, test } from 'vitest'

import { lockedSource } from '../../../scripts/add/origin.ts'
import { parseSource, sourceName, withoutSecrets, type SkillSource } from '../../../scripts/add/source.ts'

function repo(owner: string, name: string, more: Partial<SkillSource> = {}): unknown {
  return { kind: 'github', owner, repo: name, ref: null, path: '', skill: null, ...more }
}

const GOOD: readonly (readonly [text: string, source: unknown, ref?: string])[] = [
  ['acme/tools', repo('acme', 'tools')],
  [' acme/tools ', repo('acme', 'tools')],
  ['acme/tools.git', repo('acme', 'tools')],
  ['acme/tools/skills/pdf', repo('acme', 'tools', { path: 'skills/pdf' })],
  ['acme/tools/skills/pdf/SKILL.md', repo('acme', 'tools', { path: 'skills/pdf' })],
  ['acme/tools@pdf', repo('acme', 'tools', { skill: 'pdf' })],
  ['acme/tools/skills@pdf', repo('acme', 'tools', { path: 'skills', skill: 'pdf' })],
  ['acme/tools#v2', repo('acme', 'tools', { ref: 'v2' })],
  ['acme/tools#v2@pdf', repo('acme', 'tools', { ref: 'v2', skill: 'pdf' })],
  ['acme/tools', repo('acme', 'tools', { ref: 'main' }), 'main'],
  ['git@github.com:acme/tools.git', repo('acme', 'tools')],
  ['https://github.com/acme/tools', repo('acme', 'tools')],
  ['https://www.github.com/acme/tools/', repo('acme', 'tools')],
  ['https://github.com/acme/tools/tree/main', repo('acme', 'tools', { ref: 'main' })],
  ['https://github.com/acme/tools/tree/main/a/b', repo('acme', 'tools', { ref: 'main', path: 'a/b' })],
  ['https://github.com/acme/tools/blob/main/a/SKILL.md', repo('acme', 'tools', { ref: 'main', path: 'a' })],
  ['https://github.com/acme/tools/tree/a/b/c', repo('acme', 'tools', { ref: 'a/b', path: 'c' }), 'a/b'],
  [
    'https://github.com/acme/tools/archive/refs/heads/main.tar.gz',
    { kind: 'archive', url: 'https://github.com/acme/tools/archive/refs/heads/main.tar.gz' },
  ],
  ['https://example.test/x.ZIP?v=1#top', { kind: 'archive', url: 'https://example.test/x.ZIP?v=1' }],
  ['https://example.test/x.skill', { kind: 'archive', url: 'https://example.test/x.skill' }],
  ['http://127.0.0.1:9/x.tgz', { kind: 'archive', url: 'http://127.0.0.1:9/x.tgz' }],
  ['https://example.test/a/SKILL.md', { kind: 'skill-md', url: 'https://example.test/a/SKILL.md' }],
  ['https://example.test/a/skill.md', { kind: 'skill-md', url: 'https://example.test/a/skill.md' }],
  ['https://example.test', { kind: 'site', url: 'https://example.test/' }],
  ['./skills', { kind: 'folder', path: './skills' }],
  ['../other/skills', { kind: 'folder', path: '../other/skills' }],
  ['/srv/skills', { kind: 'folder', path: '/srv/skills' }],
  ['.', { kind: 'folder', path: '.' }],
  ['skills', { kind: 'folder', path: 'skills' }],
  ['C:\\skills', { kind: 'folder', path: 'C:\\skills' }],
  ['pdf.skill', { kind: 'file', path: 'pdf.skill' }],
  ['downloads/pdf.zip', { kind: 'file', path: 'downloads/pdf.zip' }],
  ['./pdf.tar.gz', { kind: 'file', path: './pdf.tar.gz' }],
]

test.each(GOOD.map(([text, source, ref]) => ({ text, source, ref: ref ?? null })))(
  '$text is understood',
  ({ text, source, ref }) => {
    expect(parseSource(text, ref)).toEqual({ ok: true, value: source })
  },
)

const BAD: readonly (readonly [text: string, why: RegExp, ref?: string])[] = [
  ['', /is not a source/],
  ['a\nb', /is not a source/],
  ['-x/tools', /not a valid owner\/repo/],
  ['acme/..', /not a valid owner\/repo/],
  ['acme/tools/../../etc', /may not contain/],
  ['acme/tools#a..b', /not a valid branch/],
  ['acme/tools#-rf', /not a valid branch/],
  ['acme/tools', /not a valid branch/, '../../x'],
  ['file:///etc/passwd', /not supported/],
  ['ftp://example.test/x.zip', /not supported/],
  ['https://user:secret@example.test/x.zip', /password/],
  ['https://github.com/acme', /not a valid owner\/repo/],
  ['https://github.com/acme/tools/issues/3', /not the address of a folder/],
  ['https://', /not a valid address/],
]

test.each(BAD.map(([text, why, ref]) => ({ text, why, ref: ref ?? null })))(
  '$text is refused with a reason',
  ({ text, why, ref }) => {
    const parsed = parseSource(text, ref)
    expect(parsed.ok ? 'taken' : parsed.error).toMatch(why)
    expect(parsed.ok ? '' : parsed.error).not.toContain('secret')
  },
)

test('the source in the lock is read back as the same source', () => {
  for (const [text, , ref] of GOOD) {
    const source = parseSource(text, ref ?? null)
    if (!source.ok) throw new Error(source.error)
    const written = lockedSource(source.value, process.cwd())
    const again = parseSource(written, source.value.kind === 'github' ? source.value.ref : null)
    expect(again.ok && again.value.kind, `${text} → ${written}`).toBe(source.value.kind)
    if (again.ok && source.value.kind === 'github')
      expect(again.value).toEqual({ ...source.value, path: '', skill: null })
    else if (again.ok && 'url' in source.value) expect(again.value).toEqual(source.value)
  }
})

test('a key in a URL is in neither name nor lock', () => {
  const secret = 'https://example.test/x.zip?X-Amz-Signature=abc&token=def'
  const source = parseSource(secret)
  if (!source.ok) throw new Error(source.error)
  expect(sourceName(source.value)).toBe('https://example.test/x.zip')
  expect(withoutSecrets('https://example.test/x.zip?v=2')).toBe('https://example.test/x.zip?v=2')
})
