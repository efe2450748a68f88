// Who is asking. Made from the credential alone; never from a path, a body or another header.

export type KeyRole = 'chat' | 'publisher' | 'admin'

/** Tools that a key leaves to its runs: names or groups. `allow` null: all but what is denied. */
export interface KeyTools {
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
}

/** A call that runs of a hook may make though a person would be asked. */
export interface AllowedCall {
  readonly tool: string
  /** By JSON pointer: what its input must hold there. */
  readonly fields: Readonly<Record<string, unknown>>
  /** JSON pointers of fields that may hold anything. Any other field is not allowed. */
  readonly free: readonly string[]
}

export interface Caller {
  readonly workspace: string
  readonly keyId: string
  readonly role: KeyRole
  readonly user: string | null
  /** Absent: all. */
  readonly tools?: KeyTools
  /** Of a hook alone. */
  readonly allowedCalls?: readonly AllowedCall[]
}

const RANK: Readonly<Record<KeyRole, number>> = { chat: 0, publisher: 1, admin: 2 }

export function mayActAs(caller: Caller, role: KeyRole): boolean {
  return RANK[caller.role] >= RANK[role]
}
