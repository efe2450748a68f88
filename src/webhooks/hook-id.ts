// IDs of hooks. An ID contains its workspace, so that the public route can find the object, and a MAC, so
// that an invented ID reaches no object. An ID never grants access.

import { isSignedPart, newSignedPart } from '../lib/signed-id.ts'
import { GENUINE_IDS_MAX } from './limits.ts'

const HOOK_ID = /^hk_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([0-9a-hjkmnp-tv-z]{36})$/

/**
 * Returns `hk_<workspace>_` followed by 24 random base32 characters and 12 of their MAC. The workspace's name
 * must be valid.
 */
export async function newHookId(workspace: string, idSecret: string): Promise<string> {
  return `hk_${workspace}_${await newSignedPart(idSecret, 'hook', workspace, 24)}`
}

/** The workspace in a hook ID, or null if the ID is malformed. */
export function workspaceOf(hookId: string): string | null {
  return HOOK_ID.exec(hookId)?.[1] ?? null
}

/** IDs that were created with one of these secrets, oldest first. */
let known = { secrets: '', ids: new Set<string>() }

/** Whether the ID was created with one of `idSecrets`. */
export async function isGenuineHookId(hookId: string, idSecrets: readonly string[]): Promise<boolean> {
  const secrets = idSecrets.join('\0')
  if (secrets !== known.secrets) known = { secrets, ids: new Set() }
  if (known.ids.has(hookId)) return true
  const [, workspace, part] = HOOK_ID.exec(hookId) ?? []
  if (workspace === undefined || part === undefined) return false
  if (!(await isSignedPart(idSecrets, 'hook', workspace, part))) return false
  const { ids } = known
  // After the wait, the secrets may be others.
  if (secrets !== known.secrets) return true
  const [oldest] = ids
  if (ids.size >= GENUINE_IDS_MAX && oldest !== undefined) ids.delete(oldest)
  ids.add(hookId)
  return true
}
