// Ids of hooks. One carries its workspace, so that the open door can find the object; it never grants anything.

import { randomToken } from '../lib/ids.ts'

const HOOK_ID = /^hk_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_[0-9a-hjkmnp-tv-z]{24}$/

/** `hk_<workspace>_<24 base32>`; the workspace's name must be a well-formed one. */
export function newHookId(workspace: string): string {
  return `hk_${workspace}_${randomToken(24)}`
}

/** The workspace a hook id names; null when the id is malformed. */
export function workspaceOf(hookId: string): string | null {
  return HOOK_ID.exec(hookId)?.[1] ?? null
}
