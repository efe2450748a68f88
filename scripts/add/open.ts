// Opens a source: fetches or lists it, and returns the skills that it offers. Closing it removes temporary
// files.

import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/api/skills/limits.ts'
import { SKILL_MD_MAX_BYTES } from '../../src/limits/skills.ts'
import { ADD_DOWNLOAD_MAX_BYTES } from './limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { explainPackageFailure } from './explain.ts'
import { openFolder } from './folder-tree.ts'
import { FLAT_FOLDER } from '../skill-folders/flat-skill.ts'
import { findOffers, type SourceOffers } from './offer.ts'
import { fetchSiteOffers } from './site.ts'
import { sourceName, type SkillSource } from './source.ts'
import { isGzip, openTar } from './tar-tree.ts'
import { wrapInFolder, memoryTree, unwrapTopFolder, type SourceTree } from './tree.ts'
import { Web, type WebDeps } from './web.ts'

export interface OpenDeps extends Pick<WebDeps, 'fetch' | 'lookup'> {
  /** The address of repository archives: `<base>/<owner>/<repo>/tar.gz/<ref>`. */
  readonly githubBase: string
  readonly githubToken: string | undefined
}

export interface OpenedSource extends SourceOffers {
  close(): Promise<void>
}

interface OpenOptions {
  /** A branch, tag or commit that overrides that of the source. */
  readonly commit?: string | null
  /** The folders to use instead of a search. */
  readonly exactFolders?: readonly string[] | null
}

/** Opens a source. The caller must close the result, even after a failure to load skills. */
export async function openSource(
  source: SkillSource,
  deps: OpenDeps,
  options: OpenOptions = {},
): Promise<Result<OpenedSource, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'satchel-add-'))
  const close = async (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const opened = await readOffers(source, deps, options, join(folder, 'archive'))
    if (opened.ok) return ok({ ...opened.value, close })
    await close()
    return opened
  } catch (error) {
    await close()
    throw error
  }
}

async function readOffers(
  source: SkillSource,
  deps: OpenDeps,
  options: OpenOptions,
  file: string,
): Promise<Result<SourceOffers, string>> {
  const web = (named: string, token?: string): Web =>
    new Web({ fetch: deps.fetch, lookup: deps.lookup, namedUrl: named, token })
  if (source.kind === 'site') return fetchSiteOffers(web(source.url), source.url)
  const tree = await openTree(source, deps, options, file, web)
  if (!tree.ok) return tree
  return findOffers(tree.value, source.kind === 'github' ? source.path : '', options.exactFolders ?? null)
}

async function openTree(
  source: Exclude<SkillSource, { readonly kind: 'site' }>,
  deps: OpenDeps,
  options: OpenOptions,
  file: string,
  web: (named: string, token?: string) => Web,
): Promise<Result<SourceTree, string>> {
  switch (source.kind) {
    case 'github': {
      const ref = options.commit ?? source.ref ?? 'HEAD'
      const path = [source.owner, source.repo, 'tar.gz', ...ref.split('/')].map(encodeURIComponent).join('/')
      const url = `${deps.githubBase.replace(/\/+$/, '')}/${path}`
      const saved = await downloadToDisk(web(url, deps.githubToken), url, ADD_DOWNLOAD_MAX_BYTES, file)
      if (!saved.ok) return saved
      const tree = await openTar(file)
      return tree.ok ? ok(unwrapTopFolder(tree.value, true)) : err(`${url}: ${tree.error}`)
    }
    case 'archive': {
      const saved = await downloadToDisk(web(source.url), source.url, ADD_DOWNLOAD_MAX_BYTES, file)
      return saved.ok ? openArchive(file, sourceName(source)) : saved
    }
    case 'file': {
      const stats = await stat(source.path).catch(() => null)
      if (stats?.isFile() !== true) return err(`${source.path}: there is no such file.`)
      return openArchive(source.path, source.path)
    }
    case 'folder': {
      const stats = await stat(source.path).catch(() => null)
      if (stats?.isDirectory() !== true) return err(`${source.path}: there is no such folder.`)
      const tree = await openFolder(source.path)
      // Files in a folder of this name are single-file skills, so the name is needed.
      const isFlat = basename(resolve(source.path)) === FLAT_FOLDER
      return tree.ok && isFlat ? ok(wrapInFolder(tree.value, FLAT_FOLDER)) : tree
    }
    case 'skill-md': {
      const download = await web(source.url).bytes(source.url, SKILL_MD_MAX_BYTES)
      return download.ok
        ? ok(memoryTree(new Map([[SKILL_FILE, download.value.bytes]])))
        : err(download.error.detail)
    }
  }
}

/**
 * A tar archive may be as large as a repository, and streams from disk. A zip is unpacked as a single skill.
 */
async function openArchive(file: string, label: string): Promise<Result<SourceTree, string>> {
  if (await isGzip(file)) {
    const tree = await openTar(file)
    return tree.ok ? ok(unwrapTopFolder(tree.value, false)) : err(`${label}: ${tree.error}`)
  }
  const { size } = await stat(file)
  if (size > ARCHIVE_BODY_MAX_BYTES)
    return err(`${label} has ${size} bytes; the limit for a packed skill is ${ARCHIVE_BODY_MAX_BYTES}.`)
  const unpacked = await unpackArchive(new Uint8Array(await readFile(file)))
  return unpacked.ok
    ? ok(unwrapTopFolder(memoryTree(unpacked.value), false))
    : err(`${label}: ${explainPackageFailure(unpacked.error)}`)
}

async function downloadToDisk(
  web: Web,
  url: string,
  maxBytes: number,
  file: string,
): Promise<Result<null, string>> {
  // In append mode, a retry can truncate the file and write from its start again.
  const disk = await open(file, 'a')
  try {
    const download = await web.stream(url, maxBytes, async () => {
      await disk.truncate(0)
      return async (chunk) => disk.writeFile(chunk)
    })
    return download.ok ? ok(null) : err(download.error.detail)
  } finally {
    await disk.close()
  }
}
