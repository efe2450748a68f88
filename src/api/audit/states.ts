// Reads what an action changes, before and after it, as its admin route shows it: without secrets, and with digests instead
// of contents.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { redact } from '../../lib/redact.ts'
import type { Result } from '../../lib/result.ts'
import { currentBuild } from '../../skills/current-build.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { entryNameOf } from '../../tools/mcp/names.ts'
import { workspaceOf } from '../../webhooks/hook-id.ts'
import type { HttpContext, KeyedRoute } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'
import { resourceOf } from './action.ts'
import { AUDIT_TARGET_MAX_CHARS } from './limits.ts'

/** Null if it does not exist, or if it has no state. */
export type AuditedState = Readonly<Record<string, unknown>> | null

type Reader = (c: HttpContext, caller: Caller, name: string) => Promise<AuditedState>

const workspace = (c: HttpContext, caller: Caller): ReturnType<ReturnType<typeof objects>['workspace']> =>
  objects(c.env).workspace(caller.workspace)

function fieldsOf(read: Result<object>): AuditedState {
  return read.ok ? { ...read.value } : null
}

async function catalogVersion(c: HttpContext, caller: Caller): Promise<AuditedState> {
  const live = await catalogOf(c, caller).live(currentBuild())
  return live.ok ? { catalog_version: live.value.version } : null
}

async function toolState(c: HttpContext, caller: Caller, entryName: string): Promise<AuditedState> {
  const entries = await catalogOf(c, caller).toolEntries(currentBuild(), [entryName])
  const entry = entries.ok ? entries.value[0] : null
  return entry ? { digest: entry.digest, enabled: entry.enabled, ...approvedOf(entry) } : null
}

function approvedOf({ approved }: ToolEntry): { readonly approved?: unknown } {
  return approved ? { approved: approved['digest'] ?? null } : {}
}

/** The names of all sections, such as `files.max_files`. */
function namesIn(sections: object): AuditedState {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([section, values]: [string, object]) =>
      Object.entries(values).map(([name, value]) => [`${section}.${name}`, value]),
    ),
  )
}

const settings: Reader = async (c, caller) => {
  const stored = await workspace(c, caller).settings()
  return stored.ok ? namesIn(stored.value.changed) : null
}

const limits: Reader = async (c, caller) => {
  const stored = await workspace(c, caller).limits()
  return stored.ok ? namesIn(stored.value.limits) : null
}

/** How the state of each resource is read. */
export const STATE_READERS: Readonly<Record<string, Reader>> = {
  keys: async (c, caller, id) => {
    const read = await workspace(c, caller).readKey(id)
    if (!read.ok) return null
    // A note is about a person, whose data may be deleted; the audit stays.
    const { note, ...fields } = read.value
    return { ...fields, note: note && `sha256:${await sha256Hex(note)}` }
  },
  secrets: async (c, caller, name) => {
    const secret = await workspace(c, caller).secret(name)
    if (!secret.ok) return null
    const { host, created_at, updated_at, updated_by } = secret.value
    return { host, created_at, updated_at, updated_by }
  },
  endpoints: async (c, caller, id) =>
    fieldsOf(await objects(c.env).endpoint(caller.workspace, id).view(caller.workspace)),
  hooks: async (c, caller, id) =>
    workspaceOf(id) === caller.workspace
      ? fieldsOf(await objects(c.env).hook(id).view(caller.workspace))
      : null,
  schedules: async (c, caller, id) => {
    if (!/^sc_[a-z0-9]{24}$/.test(id)) return null
    const state = fieldsOf(await objects(c.env).schedule(caller.workspace, id).view(caller.workspace))
    if (state === null) return null
    const { next: _, ...fields } = state
    return fields
  },
  skills: async (c, caller, name) => {
    const entries = await catalogOf(c, caller).entries(currentBuild(), [name])
    const entry = entries.ok ? entries.value[0] : null
    if (!entry) return null
    const { digest, category, enabled, shareable } = entry
    return { digest, category, enabled, shareable }
  },
  tools: toolState,
  mcp: (c, caller, name) => toolState(c, caller, entryNameOf(name)),
}

/** The same if the path names nothing: the action has many targets, or none. */
export const NAMELESS_READERS: Readonly<Record<string, Reader>> = {
  settings,
  limits,
  catalog: catalogVersion,
  skills: catalogVersion,
  tools: catalogVersion,
}

/** The first of `path` is the name of the target. Never throws: a state that cannot be read is null. */
export async function stateOf(
  c: HttpContext,
  route: Pick<KeyedRoute, 'path'>,
  caller: Caller,
  [name = '']: readonly string[],
): Promise<AuditedState> {
  const read = (name === '' ? NAMELESS_READERS : STATE_READERS)[resourceOf(route)]
  if (!read || name.length > AUDIT_TARGET_MAX_CHARS) return null
  try {
    return await read(c, caller, name)
  } catch (error) {
    console.error(JSON.stringify({ at: 'audit', request_id: c.var.requestId, error: redact(String(error)) }))
    return null
  }
}

/**
 * The state of a skill before the request that published it as `catalogVersion`: `after`, but with the digest that was live. Null
 * for what did not exist.
 */
export async function stateBeforePublishing(
  c: HttpContext,
  caller: Caller,
  skill: string,
  publishedIn: number,
  after: AuditedState,
): Promise<AuditedState> {
  const history = await catalogOf(c, caller).history(skill, 1, null)
  const [newest] = history.ok ? history.value.items : []
  if (newest?.catalog_version !== publishedIn) return after
  return newest.before === null ? null : { ...after, digest: newest.before }
}
