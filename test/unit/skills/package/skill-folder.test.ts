// Guards what surrounds a skill in an archive or a form: one wrapping folder is removed, files of file managers are
// omitted, and nothing else is lost.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { checkSkillPath } from '../../../../src/skills/format/path.ts'
import { skillFolder } from '../../../../src/skills/package/skill-folder.ts'

function kept(...paths: string[]): readonly string[] | string {
  const folder = skillFolder(new Map(paths.map((path) => [path, utf8('x')])))
  return folder.ok ? Array.from(folder.value.files.keys()) : folder.error.code
}

describe('skillFolder', () => {
  it.each([
    [['SKILL.md', '.DS_Store', '__MACOSX/._SKILL.md', 'a/._b.md'], ['SKILL.md']],
    [['own/SKILL.md', '__MACOSX/own/._SKILL.md', '.DS_Store'], ['SKILL.md']],
    [['own/SKILL.md', '.gitignore', '.github/x.yml'], ['SKILL.md']],
    [
      ['SKILL.md', '.gitignore', '.github/x.yml'],
      ['SKILL.md', '.gitignore', '.github/x.yml'],
    ],
    [
      ['own/SKILL.md', 'own/.gitignore'],
      ['SKILL.md', '.gitignore'],
    ],
    [
      ['own/SKILL.md', 'own/evals/SKILL.md'],
      ['SKILL.md', 'evals/SKILL.md'],
    ],
  ])('of %j keeps %j', (sent, files) => {
    expect(kept(...sent)).toEqual(files)
  })

  it.each([
    ['own/SKILL.md', '../evil.md'],
    ['own/SKILL.md', './x'],
    ['own/SKILL.md', '.a/../../x'],
    ['own/SKILL.md', 'own/../../x'],
    ['SKILL.md', '__MACOSX/../../x'],
    ['SKILL.md', 'a/../._b'],
  ])('refuses %s with %s instead of omitting it', (...paths) => {
    expect(kept(...paths)).toBe('invalid_skill')
  })

  it('does not count the wrapper in the length of a path', () => {
    const path = 'x'.repeat(250)
    expect(checkSkillPath(`wrapper/${path}`).ok).toBe(false)
    expect(kept('wrapper/SKILL.md', `wrapper/${path}`)).toEqual(['SKILL.md', path])
  })
})
