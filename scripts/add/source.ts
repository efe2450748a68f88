// Parses what a user may write as a source: owner/repo, an address, a file, a folder. Reads the text only.

import { err, ok, type Result } from '../../src/lib/result.ts'

export type SkillSource =
  /** `ref` null: the default branch. `path`: folder to search below, '' for all. */
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

const ARCHIVE = /\.(?:zip|skill|tar\.gz|tgz)$/i
const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/
const REPO = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/

export const SOURCE_FORMS = `owner/repo, owner/repo/path, owner/repo@skill, a GitHub address, the address of an archive
(.zip .skill .tar.gz .tgz), of a SKILL.md or of a site, an archive file, or a folder (one that is here wins
over a repository of that name)`

/**
 * Local folders start with `./`, `../` or `/`, or have no slash; any other text with a slash is owner/repo. `ref`
 * overrides the text, and separates the branch from the path in a /tree/ address.
 */
export function parseSource(text: string, ref: string | null = null): Result<SkillSource, string> {
  const written = text.trim()
  if (written === '' || /\p{Cc}/u.test(written)) return err(`This names no source. Write ${SOURCE_FORMS}.`)
  if (ref !== null && !isRef(ref)) return err(`--ref ${ref} is no branch, tag or commit.`)
  const ssh = /^git@github\.com:(.+)$/.exec(written)
  if (ssh?.[1] !== undefined) return github(ssh[1], ref)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) return address(written, ref)
  if (/^(?:\.{1,2}(?:[/\\]|$)|[/\\~]|[A-Za-z]:[/\\])/.test(written)) return ok(local(written))
  if (ARCHIVE.test(written) || !written.includes('/')) return ok(local(written))
  return github(written, ref)
}

function local(path: string): SkillSource {
  return ARCHIVE.test(path) ? { kind: 'file', path } : { kind: 'folder', path }
}

function isRef(ref: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._/+@-]{0,249}$/.test(ref) && !ref.includes('..') && !ref.endsWith('/')
}

/** `owner/repo[/path][#ref][@skill]` */
function github(text: string, ref: string | null): Result<SkillSource, string> {
  const form = /^([^/]+)\/([^/@#]+)((?:\/[^@#]*)?)(?:#([^@]+))?(?:@(.+))?$/.exec(text)
  const [, owner = '', repo = '', path = '', hash, skill] = form ?? []
  return repository({
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

function repository({ owner, repo, path, ref, skill, written }: Repository): Result<SkillSource, string> {
  const name = repo.replace(/\.git$/, '')
  if (!OWNER.test(owner) || !REPO.test(name))
    return err(`${written} is no owner/repo. A folder of this machine is written ./${written}`)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..') || path.includes('\\')) return err(`The path in ${written} may not climb (..).`)
  if (ref !== null && !isRef(ref)) return err(`${ref} is no branch, tag or commit.`)
  if (segments.at(-1) === 'SKILL.md') segments.pop()
  return ok({ kind: 'github', owner, repo: name, ref, path: segments.join('/'), skill })
}

function address(text: string, ref: string | null): Result<SkillSource, string> {
  if (!URL.canParse(text)) return err(`${text} is no address.`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return err(`${url.protocol}// is not fetched; use https, owner/repo, or a file of this machine.`)
  if (url.username !== '' || url.password !== '')
    return err('An address with a password in it is not taken: it would end in the lock file.')
  url.hash = ''
  if (ARCHIVE.test(url.pathname)) return ok({ kind: 'archive', url: url.href })
  if (url.hostname === 'github.com' || url.hostname === 'www.github.com') return githubAddress(url, text, ref)
  if (/\/skill\.md$/i.test(url.pathname)) return ok({ kind: 'skill-md', url: url.href })
  return ok({ kind: 'site', url: url.href })
}

/** `/owner/repo`, `/owner/repo/tree/<ref>/<path>`, `/owner/repo/blob/<ref>/<path>/SKILL.md`. */
function githubAddress(url: URL, written: string, ref: string | null): Result<SkillSource, string> {
  let pathname: string
  try {
    pathname = decodeURIComponent(url.pathname)
  } catch {
    return err(`${written} is no address of a repository.`)
  }
  const [owner = '', repo = '', view, ...rest] = pathname.slice(1).replace(/\/+$/, '').split('/')
  const base = { owner, repo, skill: null, written }
  if (view === undefined) return repository({ ...base, path: '', ref })
  if (view !== 'tree' && view !== 'blob')
    return err(`${written} shows no folder. Open the folder of the skill and copy its address.`)
  const whole = rest.join('/')
  // A branch may contain slashes; only --ref can show where it ends.
  if (ref !== null && (whole === ref || whole.startsWith(`${ref}/`)))
    return repository({ ...base, ref, path: whole.slice(ref.length) })
  return repository({ ...base, ref: ref ?? rest[0] ?? null, path: rest.slice(1).join('/') })
}

// A query that looks like a credential must not be stored in the lock file, which is shared.
const SECRET = /token|sig|key|secret|pass|cred|auth/i

/** The address without secrets, to store and print. */
export function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const names = Array.from(url.searchParams.keys())
  if (names.some((name) => SECRET.test(name))) url.search = ''
  return url.href
}

/** How the lock file names this source; parseSource can read it. */
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
