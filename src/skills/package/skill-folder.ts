// Turns uploaded files into the folder of one skill. Checks their names, number, sizes and encoding.

import { fromUtf8 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { REFUSAL_FINDINGS_MAX } from '../../limits/requests.ts'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../limits/skills.ts'
import { credentialFile } from '../format/credential-files.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import { checkSkillPath, pathCollision } from '../format/path.ts'
import { isLitter } from './litter.ts'

export type FileMap = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

export interface SkillFolder {
  /** The files, by path relative to the skill's root. */
  readonly files: FileMap
  /** The name of the wrapper folder that was removed, or '' if there was none. */
  readonly folder: string
  readonly bytes: number
}

// Files that the model reads as text, and so must be UTF-8: invalid bytes would become replacement characters.
const TEXT_FILE = /\.(?:md|markdown|txt|json|ya?ml|toml|py|js|mjs|cjs|ts|sh|bash|html?|css|xml|svg|sql|rst)$/i

type Problem = NonNullable<Failure['errors']>[number]

/**
 * The skill's folder from files at the root or in a single wrapper folder. Ignores files that macOS adds and dot files
 * next to the wrapper folder, but refuses credential files everywhere. Failures: `too_large`, `invalid_skill`.
 */
export function skillFolder(uploaded: FileMap): Result<SkillFolder> {
  const relevantFiles = new Map(
    Array.from(uploaded).filter(([path]) => !(isLitter(path) && checkSkillPath(path).ok)),
  )
  const credentialMessages = new Map<string, string>()
  for (const path of relevantFiles.keys()) {
    const credential = credentialFile(path)
    if (credential)
      credentialMessages.set(
        checkSkillPath(credential.path).ok ? credential.path : quoted(credential.path),
        `${credential.message} ${credential.fix}`,
      )
  }
  if (credentialMessages.size > 0) {
    const errors = Array.from(credentialMessages, ([path, message]) => ({ path, message })).slice(
      0,
      REFUSAL_FINDINGS_MAX,
    )
    return fail(
      'invalid_skill',
      'The skill contains credential files, which are never accepted. Leave them out.',
      {
        errors,
      },
    )
  }
  const folder = wrapperFolder(relevantFiles)
  const skillFiles =
    folder === ''
      ? relevantFiles
      : new Map(Array.from(relevantFiles).filter(([path]) => path.startsWith(`${folder}/`)))
  if (skillFiles.size > SKILL_FILES_MAX)
    return fail(
      'too_large',
      `The skill has ${skillFiles.size} files; the limit is ${SKILL_FILES_MAX}. Remove unused files.`,
    )
  const sizes = Array.from(skillFiles, ([path, content]) => ({ path, size: content.byteLength }))
  const largeFile = sizes.find((file) => file.size > SKILL_FILE_MAX_BYTES)
  if (largeFile)
    return fail(
      'too_large',
      `${quoted(largeFile.path)} has ${largeFile.size} bytes; the limit for one file is ${SKILL_FILE_MAX_BYTES}. Make it smaller, or leave it out.`,
    )
  const bytes = sizes.reduce((sum, file) => sum + file.size, 0)
  if (bytes > SKILL_MAX_BYTES)
    return fail(
      'too_large',
      `The files together have ${bytes} bytes; the limit for one skill is ${SKILL_MAX_BYTES}. Remove unused files.`,
    )

  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const errors: Problem[] = []
  for (const [path, content] of skillFiles) {
    const checked = checkSkillPath(folder === '' ? path : path.slice(folder.length + 1))
    if (!checked.ok) errors.push({ path: quoted(path), message: checked.error })
    else files.set(checked.value, content)
  }
  if (errors.length > 0)
    return fail('invalid_skill', 'Some paths cannot be stored. Rename these files.', { errors })
  const names = Array.from(files.keys())
  const collision = files.size < skillFiles.size ? ['two paths', 'one path'] : pathCollision(names)
  if (collision)
    return fail(
      'invalid_skill',
      `${collision.join(' and ')} are the same on some file systems. Rename one of them.`,
    )
  if (!files.has(SKILL_FILE)) return fail('invalid_skill', missingSkillFile(names))
  const errorsOfText = names.filter(
    (path) => TEXT_FILE.test(path) && fromUtf8(files.get(path) ?? new Uint8Array()) === null,
  )
  if (errorsOfText.length > 0)
    return fail('invalid_skill', 'Some text files are not UTF-8. Save them as UTF-8.', {
      errors: errorsOfText.map((path) => ({ path, message: 'is not UTF-8 text. Save it as UTF-8.' })),
    })
  return ok({ files, folder, bytes })
}

/** The name of the folder that contains all files except dot files, if it contains a SKILL.md; otherwise ''. */
function wrapperFolder(skillFiles: FileMap): string {
  if (skillFiles.has(SKILL_FILE)) return ''
  // Only valid paths are ignored: one such as `../x` must be refused.
  const paths = Array.from(skillFiles.keys()).filter(
    (path) => !(path.startsWith('.') && checkSkillPath(path).ok),
  )
  const top = paths[0]?.split('/')[0] ?? ''
  const isWrapped =
    skillFiles.has(`${top}/${SKILL_FILE}`) && paths.every((path) => path.startsWith(`${top}/`))
  return isWrapped && checkSkillPath(top).ok ? top : ''
}

function missingSkillFile(paths: readonly string[]): string {
  const similarPath = paths.find((path) => path.toLowerCase() === SKILL_FILE.toLowerCase())
  if (similarPath !== undefined)
    return `The file ${quoted(similarPath)} must be named ${SKILL_FILE}, with a capital SKILL. Rename it.`
  const nested = paths.filter((path) => path.endsWith(`/${SKILL_FILE}`))
  return nested.length > 1
    ? `The files contain ${nested.length} skills. Publish each one separately.`
    : `There is no ${SKILL_FILE} at the root. A skill is a folder that contains a ${SKILL_FILE}.`
}
