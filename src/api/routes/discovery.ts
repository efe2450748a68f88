// Public discovery of shared skills, without a key: the indexes of /.well-known/ and the files they name. Checks on each request
// what is shared; everything else gives the same 404.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { CATALOG_CHANGE_TRIES } from '../../limits/skills.ts'
import { SHARE_QUEUE } from './limits.ts'
import { SKILL_FILE } from '../../skills/format/finding.ts'
import { checkSkillPath } from '../../skills/format/path.ts'
import type { SharedVersion } from '../../skills/catalog/api.ts'
import { repairArtifact } from '../../skills/share/artifacts.ts'
import { sharedList, type Shared } from '../../skills/share/shared.ts'
import { UnpackableVersions } from '../../skills/share/unpackable.ts'
import { isListableName, listedDescription, looksClimbing } from '../../skills/package/sharing.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { Opened } from '../../skills/store/store.ts'
import { sharedSkill } from '../../skills/view/visibility.ts'
import { callersNetwork } from '../admission/address.ts'
import { DEFAULT_WORKSPACE } from '../auth/auth.ts'
import { currentBuild } from '../skills/build.ts'
import { download, isKnown, notModified, openedType, validators } from '../streams/download.ts'
import { paceOf } from '../admission/queues.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { param, type HttpContext, type OpenRoute, type Reply } from '../route/route.ts'
import { RequestQueue } from '../admission/request-queue.ts'
import { catalogOf, skillDeps } from '../skills/change.ts'
import { liveIndex, type LiveIndex } from './skills.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** Sharing may change at any moment. */
const BRIEFLY = 'public, max-age=60'
/** Content addressed by its digest is cached for a day at most, so that unshared skills disappear from caches too. */
const FIXED = 'public, max-age=86400, immutable'

/** The same text for a skill that is missing, not shared or switched off, and for a missing file. */
const NOTHING = fail(
  'not_found',
  'Nothing is shared at this address. /.well-known/agent-skills/index.json lists what is.',
)

const TOO_MANY = 'Too many requests from this address in a minute.'

/** The workspace whose shared skills are public. */
const OPEN = { workspace: DEFAULT_WORKSPACE }

interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tag: string
}

/** 0.2.0: URLs contain the digest, so a publish in between breaks no download. */
const current = (shared: readonly Shared[]): object => ({
  $schema: SCHEMA,
  skills: shared.map(({ entry, as }) => {
    const isOne = as.files.length === 1
    return {
      name: entry.name,
      type: isOne ? 'skill-md' : 'archive',
      description: listedDescription(entry),
      url: `/.well-known/agent-skills/${entry.name}/${as.sha256}${isOne ? `/${SKILL_FILE}` : '.tar.gz'}`,
      digest: `sha256:${as.sha256}`,
    }
  }),
})

/** 0.1.0: names and files, without digests. */
const older = (shared: readonly Shared[]): object => ({
  skills: shared.flatMap(({ entry, as }) =>
    as.files.some(looksClimbing)
      ? []
      : [{ name: entry.name, description: listedDescription(entry), files: as.files }],
  ),
})

interface Documents {
  /** Of the catalog. An index may return in a later version, when the older listing is gone. */
  readonly version: number
  readonly current: Document
  readonly older: Document
  /** The listed skills by name. */
  readonly shared: ReadonlyMap<string, SharedVersion>
}

/** The newest documents created by this isolate. */
let made: Documents | null = null

/** Concurrent first requests must not pack the same archives. */
const packQueue = new RequestQueue(SHARE_QUEUE, systemClock)

const unpackable = new UnpackableVersions(systemClock)
const lost = new UnpackableVersions(systemClock)

async function liveDocuments(c: HttpContext): Promise<Result<Documents>> {
  for (let attempt = 0; attempt < CATALOG_CHANGE_TRIES; attempt++) {
    const live = await liveIndex(c, DEFAULT_WORKSPACE)
    if (!live.ok) return live
    const known = madeOf(live.value)
    if (known) return ok(known)
    const documents = await packQueue.run(callersNetwork(c), async (turn) => {
      const meanwhile = madeOf(live.value)
      return meanwhile ? ok(meanwhile) : makeDocuments(c, live.value, paceOf(turn))
    })
    if (!documents.ok) return documents
    if (documents.value) return ok(documents.value)
  }
  return fail('overloaded', 'The shared skills kept changing. Try again.', { retryAfterS: 1 })
}

function madeOf({ version }: LiveIndex): Documents | null {
  return made?.version === version ? made : null
}

/** Null if the index is no longer live. */
async function makeDocuments(
  c: HttpContext,
  { index, version }: LiveIndex,
  pace: Pace,
): Promise<Result<Documents | null>> {
  const deps = { ...skillDeps(c, OPEN, pace), unpackable, build: currentBuild() }
  const shared = await sharedList(index, deps)
  if (!shared.ok) return shared
  if (shared.value === null) return ok(null)
  const documents = {
    version,
    current: await documentOf(current(shared.value)),
    older: await documentOf(older(shared.value)),
    shared: new Map(shared.value.map(({ as }) => [as.name, as])),
  }
  made = documents
  return ok(documents)
}

async function documentOf(value: object): Promise<Document> {
  const bytes = utf8(JSON.stringify(value))
  return { bytes, tag: await sha256Hex(bytes) }
}

function indexAs(form: 'current' | 'older'): OpenRoute['handle'] {
  return async (c) => {
    const documents = await liveDocuments(c)
    if (!documents.ok) return documents
    const { bytes, tag } = documents.value[form]
    if (isKnown(c, tag)) return notModified(tag, BRIEFLY)
    return new Response(bytes, {
      headers: { ...validators(tag, BRIEFLY), 'Content-Type': 'application/json' },
    })
  }
}

interface RequestedSkill {
  readonly entry: IndexEntry
  readonly live: LiveIndex
}

/** The live shared skill of the path. */
async function requestedSkill(c: HttpContext): Promise<Result<RequestedSkill>> {
  const name = param(c, 'skill')
  if (!isListableName(name)) return NOTHING
  const live = await liveIndex(c, DEFAULT_WORKSPACE)
  if (!live.ok) return live
  const entry = sharedSkill(live.value.index, name)
  return entry ? ok({ entry, live: live.value }) : NOTHING
}

/** The version that is or was listed with these bytes. For the current listing the catalog need not be asked again. */
async function listedAs(
  c: HttpContext,
  { entry: { name, category }, live }: RequestedSkill,
  sha256: string,
): Promise<Result<SharedVersion | null>> {
  const now = madeOf(live)?.shared.get(name)
  if (now?.sha256 === sha256) return ok(now)
  return catalogOf(c, OPEN).sharedAs({ name, category }, sha256)
}

/** Packs a lost archive again, one request at a time. */
async function archive(c: HttpContext, version: SharedVersion): Promise<Result<Opened>> {
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const found = await content.openArtifact(version.sha256)
  if (found.ok || found.error.retryAfterS !== undefined) return found
  return packQueue.run<Opened>(callersNetwork(c), async (turn) => {
    const repaired = await content.openArtifact(version.sha256)
    return repaired.ok
      ? repaired
      : repairArtifact(version, { ...skillDeps(c, OPEN, paceOf(turn)), unpackable: lost })
  })
}

/** `<sha256>.tar.gz` or `<sha256>/SKILL.md` of a version that was listed and whose skill is still shared. */
async function artifact(c: HttpContext): Promise<Reply> {
  const [, sha256, ending] = /^([0-9a-f]{64})(\.tar\.gz|\/SKILL\.md)$/.exec(param(c, 'artifact')) ?? []
  if (sha256 === undefined) return NOTHING
  const skill = await requestedSkill(c)
  if (!skill.ok) return skill
  const listed = await listedAs(c, skill.value, sha256)
  if (!listed.ok) return listed
  const isOne = ending !== '.tar.gz'
  if (listed.value === null || isOne !== (listed.value.files.length === 1)) return NOTHING
  if (isKnown(c, sha256)) return notModified(sha256, FIXED)
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const bytes = await (isOne ? content.openFile(listed.value, sha256) : archive(c, listed.value))
  if (!bytes.ok) return bytes
  const headers = validators(sha256, FIXED)
  return isOne
    ? download(bytes.value, MARKDOWN, SKILL_FILE, headers)
    : download(bytes.value, 'application/gzip', `${listed.value.name}.tar.gz`, headers)
}

/** One file of the live version, for 0.1.0 clients. */
async function file(c: HttpContext): Promise<Reply> {
  const skill = await requestedSkill(c)
  if (!skill.ok) return skill
  const { entry } = skill.value
  const path = checkSkillPath(param(c, 'path'))
  if (!path.ok) return NOTHING
  const content = skillContent(c.env, DEFAULT_WORKSPACE)
  const manifest = await content.manifest(entry)
  if (!manifest.ok) return manifest
  const found = manifest.value.find((one) => one.path === path.value)
  if (!found) return NOTHING
  if (isKnown(c, found.sha256)) return notModified(found.sha256, BRIEFLY)
  const bytes = await content.openFile(entry, found.sha256)
  if (!bytes.ok) return bytes
  const type = openedType(bytes.value)
  const isText = found.path.endsWith('.md') && type.startsWith('text/')
  const name = found.path.split('/').at(-1) ?? ''
  return download(bytes.value, isText ? MARKDOWN : type, name, validators(found.sha256, BRIEFLY))
}

/** A public route with a rate limit per network. */
function open(path: string, handle: OpenRoute['handle']): OpenRoute {
  return {
    method: 'GET',
    path,
    role: null,
    // Workspace names have no spaces, so this count is separate from all messages.
    handle: (c) =>
      refuseOverRate(c, c.env.DISCOVERY_RATE, `anyone ${callersNetwork(c)}`, TOO_MANY) ?? handle(c),
  }
}

export const discoveryRoutes: readonly OpenRoute[] = [
  open('/.well-known/agent-skills/index.json', indexAs('current')),
  open('/.well-known/agent-skills/:skill/:artifact{.+}', artifact),
  open('/.well-known/skills/index.json', indexAs('older')),
  open('/.well-known/skills/:skill/:path{.+}', file),
]
