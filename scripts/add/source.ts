// Parses a source as the user writes it: owner/repo, an address, a file or a folder. Does not check that it
// exists.

import { err, ok, type Result } from '../../src/lib/result.ts'

export type SkillSource =
  /** `ref` is null for the default branch. `path` is the folder to search, '' for the entire repository. */
  | {
      readonly kind: 'github'
      readonly owner: string
      readonly repo: string
      readonly ref: string | null
      readonly path: string
      readonly skill: string | null
    }
  | { readonly kind: 'archive'; readonly url: string }
  | { readonly kind: 'skill-md'; readonly url: string }
  | { readonly kind: 'site'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }

const ARCHIVE_EXTENSION = /\.(?:zip|skill|tar\.gz|tgz)$/i
const OWNER_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/
const REPO_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

export const SOURCE_FORMS = `owner/repo, owner/repo/path, owner/repo@skill, a GitHub address, the address of an archive
(.zip .skill .tar.gz .tgz), of a SKILL.md or of a site, an archive file, or a folder (an existing folder
takes precedence over a repository of that name)`

/**
 * Text that starts with `./`, `../` or `/`, or has no slash, is a local path; any other text with a slash is
 * owner/repo. `ref` overrides the ref in the text, and shows where the branch ends in a /tree/ address.
 */
export function parseSource(text: string, ref: string | null = null): Result<SkillSource, string> {
  const trimmed = text.trim()
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) return err(`This is not a source. Write ${SOURCE_FORMS}.`)
  if (ref !== null && !isRef(ref)) return err(`--ref ${ref} is not a valid branch, tag or commit.`)
  const ssh = /^git@github\.com:(.+)$/.exec(trimmed)
  if (ssh?.[1] !== undefined) return parseRepository(ssh[1], ref)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return parseAddress(trimmed, ref)
  if (/^(?:\.{1,2}(?:[/\\]|$)|[/\\~]|[A-Za-z]:[/\\])/.test(trimmed)) return ok(localSource(trimmed))
  if (ARCHIVE_EXTENSION.test(trimmed) || !trimmed.includes('/')) return ok(localSource(trimmed))
  return parseRepository(trimmed, ref)
}

function localSource(path: string): SkillSource {
  return ARCHIVE_EXTENSION.test(path) ? { kind: 'file', path } : { kind: 'folder', path }
}

function isRef(ref: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._/+@-]{0,249}$/.test(ref) && !ref.includes('..') && !ref.endsWith('/')
}

/** `owner/repo[/path][#ref][@skill]` */
function parseRepository(text: string, ref: string | null): Result<SkillSource, string> {
  const match = /^([^/]+)\/([^/@#]+)((?:\/[^@#]*)?)(?:#([^@]+))?(?:@(.+))?$/.exec(text)
  const [, owner = '', repo = '', path = '', hash, skill] = match ?? []
  return repositorySource({
    owner,
    repo,
    path,
    ref: ref ?? hash ?? null,
    skill: skill?.trim() ?? null,
    written: text,
  })
}

interface Repository {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly ref: string | null
  readonly skill: string | null
  readonly written: string
}

function repositorySource({
  owner,
  repo,
  path,
  ref,
  skill,
  written,
}: Repository): Result<SkillSource, string> {
  const name = repo.replace(/\.git$/, '')
  if (!OWNER_NAME.test(owner) || !REPO_NAME.test(name))
    return err(`${written} is not a valid owner/repo. For a local folder, write ./${written}`)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..') || path.includes('\\'))
    return err(`The path in ${written} may not contain .. or a backslash.`)
  if (ref !== null && !isRef(ref)) return err(`${ref} is not a valid branch, tag or commit.`)
  if (segments.at(-1) === 'SKILL.md') segments.pop()
  return ok({ kind: 'github', owner, repo: name, ref, path: segments.join('/'), skill })
}

function parseAddress(text: string, ref: string | null): Result<SkillSource, string> {
  if (!URL.canParse(text)) return err(`${text} is not a valid address.`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return err(`${url.protocol}// addresses are not supported; use https, owner/repo, or a local file.`)
  if (url.username !== '' || url.password !== '')
    return err('The URL contains a user name or password, which would end up in the lock file. Remove it.')
  url.hash = ''
  if (ARCHIVE_EXTENSION.test(url.pathname)) return ok({ kind: 'archive', url: url.href })
  if (url.hostname === 'github.com' || url.hostname === 'www.github.com')
    return parseGithubAddress(url, text, ref)
  if (/\/skill\.md$/i.test(url.pathname)) return ok({ kind: 'skill-md', url: url.href })
  return ok({ kind: 'site', url: url.href })
}

/** `/owner/repo`, `/owner/repo/tree/<ref>/<path>`, `/owner/repo/blob/<ref>/<path>/SKILL.md`. */
function parseGithubAddress(url: URL, written: string, ref: string | null): Result<SkillSource, string> {
  let pathname: string
  try {
    pathname = decodeURIComponent(url.pathname)
  } catch {
    return err(`${written} is not the address of a repository.`)
  }
  const [owner = '', repo = '', view, ...segments] = pathname.slice(1).replace(/\/+$/, '').split('/')
  const base = { owner, repo, skill: null, written }
  if (view === undefined) return repositorySource({ ...base, path: '', ref })
  if (view !== 'tree' && view !== 'blob')
    return err(`${written} is not the address of a folder. Open the skill's folder and copy its address.`)
  const refAndPath = segments.join('/')
  // A branch may contain slashes, so only --ref can show where it ends.
  if (ref !== null && (refAndPath === ref || refAndPath.startsWith(`${ref}/`)))
    return repositorySource({ ...base, ref, path: refAndPath.slice(ref.length) })
  return repositorySource({ ...base, ref: ref ?? segments[0] ?? null, path: segments.slice(1).join('/') })
}

/**
 * Matches names of query parameters that look like credentials, which must not be stored in the shared lock
 * file.
 */
const SECRET_PARAMETER = /token|sig|key|secret|pass|cred|auth/i

/** The address without credentials in its query, so that it can be stored and printed. */
export function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const names = Array.from(url.searchParams.keys())
  if (names.some((name) => SECRET_PARAMETER.test(name))) url.search = ''
  return url.href
}

/** The name of a source in the lock file, which parseSource can read. */
export function sourceName(source: SkillSource): string {
  switch (source.kind) {
    case 'github':
      return `${source.owner}/${source.repo}`
    case 'archive':
    case 'skill-md':
    case 'site':
      return withoutSecrets(source.url)
    case 'file':
    case 'folder':
      return source.path
  }
}
