// Public discovery of shared skills, without a key: the indexes under /.well-known/ and the files that they name. Each request checks
// what is shared; everything else returns the same 404.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { CATALOG_CHANGE_ATTEMPTS_MAX } from '../../limits/skills.ts'
import { SHARE_QUEUE } from './limits.ts'
import { SKILL_FILE } from '../../skills/format/finding.ts'
import { checkSkillPath } from '../../skills/format/path.ts'
import type { SharedVersion } from '../../skills/catalog/api.ts'
import { repairArtifact } from '../../skills/share/artifacts.ts'
import { sharedList, type Shared } from '../../skills/share/shared.ts'
import { UnpackableVersions } from '../../skills/share/unpackable.ts'
import { isListableName, listedDescription, hasDoubleDots } from '../../skills/package/sharing.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { Opened } from '../../skills/store/store.ts'
import { sharedSkill } from '../../skills/view/visibility.ts'
import { callersNetwork } from '../admission/address.ts'
import { DEFAULT_WORKSPACE } from '../auth/auth.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { download, isKnown, notModified, skillFileType, validators } from '../streams/download.ts'
import { paceOf } from '../admission/queues.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { param, type HttpContext, type OpenRoute, type Reply } from '../route/route.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import { catalogOf, skillDeps } from '../skills/change.ts'
import { liveIndex, type LiveIndex } from './skills.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** Cache-Control for responses that change whenever sharing changes. */
const SHORT_CACHE = 'public, max-age=60'
/** Cache-Control for content addressed by its digest. Limited to a day, so that skills no longer shared disappear from caches. */
const LONG_CACHE = 'public, max-age=86400, immutable'

/** The same failure for a skill that is missing, not shared or disabled, and for a missing file. */
const NOT_SHARED = fail(
  'not_found',
  'Nothing is shared at this address. /.well-known/agent-skills/index.json lists the shared skills.',
)

const TOO_MANY = 'Too many requests were sent from your network. Wait, then try again.'

/** The workspace whose shared skills are public. */
const PUBLIC_CALLER = { workspace: DEFAULT_WORKSPACE }

interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tag: string
}

/** The index in format 0.2.0. Its URLs contain digests, so that publishing between two requests breaks no download. */
const currentIndex = (shared: readonly Shared[]): object => ({
  $schema: SCHEMA,
  skills: shared.map(({ entry, as }) => {
    const isSingleFile = as.files.length === 1
    return {
      name: entry.name,
      type: isSingleFile ? 'skill-md' : 'archive',
      description: listedDescription(entry),
      url: `/.well-known/agent-skills/${entry.name}/${as.sha256}${isSingleFile ? `/${SKILL_FILE}` : '.tar.gz'}`,
      digest: `sha256:${as.sha256}`,
    }
  }),
})

/** The index in format 0.1.0, which has names and files but no digests. */
const olderIndex = (shared: readonly Shared[]): object => ({
  skills: shared.flatMap(({ entry, as }) =>
    as.files.some(hasDoubleDots)
      ? []
      : [{ name: entry.name, description: listedDescription(entry), files: as.files }],
  ),
})

interface Documents {
  /** The catalog version. The index does not identify the documents, because a later version may have the same index. */
  readonly version: number
  readonly current: Document
  readonly older: Document
  /** The listed skills by name. */
  readonly shared: ReadonlyMap<string, SharedVersion>
}

/** The latest documents that this isolate created. */
let latest: Documents | null = null

/** Prevents concurrent first requests from packing the same archives. */
const packQueue = new RequestQueue(SHARE_QUEUE, systemClock)

const unpackable = new UnpackableVersions(systemClock)
const unrepairable = new UnpackableVersions(systemClock)

async function liveDocuments(c: HttpContext): Promise<Result<Documents>> {
  for (let attempt = 0; attempt < CATALOG_CHANGE_ATTEMPTS_MAX; attempt++) {
    const live = await liveIndex(c, DEFAULT_WORKSPACE)
    if (!live.ok) return live
    const existing = documentsFor(live.value)
    if (existing) return ok(existing)
    const documents = await packQueue.run(callersNetwork(c), async (slot) => {
      const createdMeanwhile = documentsFor(live.value)
      return createdMeanwhile ? ok(createdMeanwhile) : makeDocuments(c, live.value, paceOf(slot))
    })
    if (!documents.ok) return documents
    if (documents.value) return ok(documents.value)
  }
  return fail('overloaded', 'The shared skills kept changing while they were listed. Try again.', {
    retryAfterS: 1,
  })
}

/** The documents for this catalog version, if they are the latest. */
function documentsFor({ version }: LiveIndex): Documents | null {
  return latest?.version === version ? latest : null
}

/** Creates the documents, or returns null if the index is no longer live. */
async function makeDocuments(
  c: HttpContext,
  { index, version }: LiveIndex,
  pace: Pace,
): Promise<Result<Documents | null>> {
  const deps = { ...skillDeps(c, PUBLIC_CALLER, pace), unpackable, build: currentBuild() }
  const shared = await sharedList(index, deps)
  if (!shared.ok) return shared
  if (shared.value === null) return ok(null)
  const documents = {
    version,
    current: await documentOf(currentIndex(shared.value)),
    older: await documentOf(olderIndex(shared.value)),
    shared: new Map(shared.value.map(({ as }) => [as.name, as])),
  }
  latest = documents
  return ok(documents)
}

async function documentOf(value: object): Promise<Document> {
  const bytes = utf8(JSON.stringify(value))
  return { bytes, tag: await sha256Hex(bytes) }
}

function indexRoute(format: 'current' | 'older'): OpenRoute['handle'] {
  return async (c) => {
    const documents = await liveDocuments(c)
    if (!documents.ok) return documents
    const { bytes, tag } = documents.value[format]
    if (isKnown(c, tag)) return notModified(tag, SHORT_CACHE)
    return new Response(bytes, {
      headers: { ...validators(tag, SHORT_CACHE), 'Content-Type': 'application/json' },
    })
  }
}

interface RequestedSkill {
  readonly entry: IndexEntry
  readonly live: LiveIndex
}

/** The live shared skill that the path names. */
async function requestedSkill(c: HttpContext): Promise<Result<RequestedSkill>> {
  const name = param(c, 'skill')
  if (!isListableName(name)) return NOT_SHARED
  const live = await liveIndex(c, DEFAULT_WORKSPACE)
  if (!live.ok) return live
  const entry = sharedSkill(live.value.index, name)
  return entry ? ok({ entry, live: live.value }) : NOT_SHARED
}

/** The version that is, or once was, listed with these bytes. Asks the catalog only if the version is not currently listed. */
async function listedVersion(
  c: HttpContext,
  { entry: { name, category }, live }: RequestedSkill,
  sha256: string,
): Promise<Result<SharedVersion | null>> {
  const listed = documentsFor(live)?.shared.get(name)
  if (listed?.sha256 === sha256) return ok(listed)
  return catalogOf(c, PUBLIC_CALLER).sharedAs({ name, category }, sha256)
}

/** Opens an archive. If it is lost, packs it again; only one request does this at a time. */
async function openArchive(c: HttpContext, version: SharedVersion): Promise<Result<Opened>> {
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const result = await content.openArtifact(version.sha256)
  if (result.ok || result.error.retryAfterS !== undefined) return result
  return packQueue.run<Opened>(callersNetwork(c), async (slot) => {
    const repaired = await content.openArtifact(version.sha256)
    return repaired.ok
      ? repaired
      : repairArtifact(version, { ...skillDeps(c, PUBLIC_CALLER, paceOf(slot)), unpackable: unrepairable })
  })
}

/** Serves `<sha256>.tar.gz` or `<sha256>/SKILL.md` of a version that was once listed, if its skill is still shared. */
async function serveArtifact(c: HttpContext): Promise<Reply> {
  const [, sha256, extension] = /^([0-9a-f]{64})(\.tar\.gz|\/SKILL\.md)$/.exec(param(c, 'artifact')) ?? []
  if (sha256 === undefined) return NOT_SHARED
  const skill = await requestedSkill(c)
  if (!skill.ok) return skill
  const listed = await listedVersion(c, skill.value, sha256)
  if (!listed.ok) return listed
  const isSingleFile = extension !== '.tar.gz'
  if (listed.value === null || isSingleFile !== (listed.value.files.length === 1)) return NOT_SHARED
  if (isKnown(c, sha256)) return notModified(sha256, LONG_CACHE)
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const bytes = await (isSingleFile ? content.openFile(listed.value, sha256) : openArchive(c, listed.value))
  if (!bytes.ok) return bytes
  const headers = validators(sha256, LONG_CACHE)
  return isSingleFile
    ? download(bytes.value, MARKDOWN, SKILL_FILE, headers)
    : download(bytes.value, 'application/gzip', `${listed.value.name}.tar.gz`, headers)
}

/** Serves one file of the live version, for clients of format 0.1.0. */
async function serveFile(c: HttpContext): Promise<Reply> {
  const skill = await requestedSkill(c)
  if (!skill.ok) return skill
  const { entry } = skill.value
  const path = checkSkillPath(param(c, 'path'))
  if (!path.ok) return NOT_SHARED
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const manifest = await content.manifest(entry)
  if (!manifest.ok) return manifest
  const file = manifest.value.find((listed) => listed.path === path.value)
  if (!file) return NOT_SHARED
  if (isKnown(c, file.sha256)) return notModified(file.sha256, SHORT_CACHE)
  const bytes = await content.openFile(entry, file.sha256)
  if (!bytes.ok) return bytes
  const type = skillFileType(bytes.value)
  const isText = file.path.endsWith('.md') && type.startsWith('text/')
  const name = file.path.split('/').at(-1) ?? ''
  return download(bytes.value, isText ? MARKDOWN : type, name, validators(file.sha256, SHORT_CACHE))
}

/** Creates a public route with a rate limit per network. */
function publicRoute(path: string, handle: OpenRoute['handle']): OpenRoute {
  return {
    method: 'GET',
    path,
    role: null,
    // The space separates this limit from those of keys, because workspace names contain no spaces.
    handle: (c) =>
      refuseOverRate(c, c.env.DISCOVERY_RATE, `anyone ${callersNetwork(c)}`, TOO_MANY) ?? handle(c),
  }
}

export const discoveryRoutes: readonly OpenRoute[] = [
  publicRoute('/.well-known/agent-skills/index.json', indexRoute('current')),
  publicRoute('/.well-known/agent-skills/:skill/:artifact{.+}', serveArtifact),
  publicRoute('/.well-known/skills/index.json', indexRoute('older')),
  publicRoute('/.well-known/skills/:skill/:path{.+}', serveFile),
]
