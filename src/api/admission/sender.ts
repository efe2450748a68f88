// The sender of a request body, which determines whose share of memory the body uses and who is charged for an unfinished body.

/** The groups that a sender belongs to, from widest to narrowest. `credential` is a hook's id, or a key's id with its workspace. */
export type SenderPath = readonly [
  kind: 'key' | 'hook' | 'other',
  workspace: string,
  credential: string,
  network: string,
]

export interface Sender {
  readonly path: SenderPath
  /** Whether its body was abandoned or ended early. */
  unfinished: boolean
}

const senders = new WeakMap<Request, Sender>()

/** Senders of unfinished bodies that have not been counted yet. */
const uncounted: Sender[] = []
/** Number of senders counted after one request. Later requests count the others. */
const SENDERS_PER_REQUEST = 50

/** Records the sender of a request. Call this before reading the body. */
export function setSender(request: Request, path: SenderPath): void {
  senders.set(request, { path, unfinished: false })
}

export function senderOf(request: Request): Sender {
  return senders.get(request) ?? { path: ['other', '', '', ''], unfinished: false }
}

/** Records that a body was not received completely. Only the first call per body counts. */
export function markUnfinished(sender: Sender): void {
  if (sender.unfinished) return
  sender.unfinished = true
  uncounted.push(sender)
}

/** Returns each sender once. Any request may call this, because a request that was cut off runs no more code. */
export function takeUnfinished(): readonly Sender[] {
  return uncounted.splice(0, SENDERS_PER_REQUEST)
}
