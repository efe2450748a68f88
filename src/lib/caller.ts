// Who is asking. Made from the credential alone; never from a path, a body or another header.

export type KeyRole = 'chat' | 'publisher' | 'admin'

export interface Caller {
  readonly workspace: string
  readonly keyId: string
  readonly role: KeyRole
  readonly user: string | null
}

const RANK: Readonly<Record<KeyRole, number>> = { chat: 0, publisher: 1, admin: 2 }

export function mayActAs(caller: Caller, role: KeyRole): boolean {
  return RANK[caller.role] >= RANK[role]
}
