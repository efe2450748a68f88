// Ids of hooks. An id contains its workspace, so that the public route can find the object, and a MAC, so that a
// made-up id reaches no object. It never grants access.

import { isSignedPart, newSignedPart } from '../lib/signed-id.ts'

const HOOK_ID = /^hk_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([0-9a-hjkmnp-tv-z]{36})$/

/** `hk_<workspace>_<24 random base32><12 of their MAC>`; the workspace's name must be well-formed. */
export async function newHookId(workspace: string, idSecret: string): Promise<string> {
  return `hk_${workspace}_${await newSignedPart(idSecret, 'hook', workspace, 24)}`
}

/** The workspace in a hook id; null when the id is malformed. */
export function workspaceOf(hookId: string): string | null {
  return HOOK_ID.exec(hookId)?.[1] ?? null
}

/** True when the id was created with one of `idSecrets`. */
export async function isOurs(hookId: string, idSecrets: readonly string[]): Promise<boolean> {
  const [, workspace, part] = HOOK_ID.exec(hookId) ?? []
  return workspace !== undefined && part !== undefined && isSignedPart(idSecrets, 'hook', workspace, part)
}
