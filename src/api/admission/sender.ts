// Who sends the body of a request: whose share of the memory it takes, and where it counts if it does not come to its end.

/** From the widest group to the narrowest. `credential`: a hook's id, or a key's with its workspace. */
export type SenderPath = readonly [
  kind: 'key' | 'hook' | 'other',
  workspace: string,
  credential: string,
  network: string,
]

export interface Sender {
  readonly path: SenderPath
  /** Its body was given up or broke off. */
  unfinished: boolean
}

const senders = new WeakMap<Request, Sender>()

/** Senders whose unfinished body has not been counted yet. */
const uncounted: Sender[] = []
/** Counted after one request: the rest goes with the next ones. */
const COUNTED_AT_ONCE = 50

/** Called before the body is read. */
export function sentBy(request: Request, path: SenderPath): void {
  senders.set(request, { path, unfinished: false })
}

export function senderOf(request: Request): Sender {
  return senders.get(request) ?? { path: ['other', '', '', ''], unfinished: false }
}

/** Once for each body, whoever notices first: its reader, or the budget that took its memory back. */
export function didNotEnd(sender: Sender): void {
  if (sender.unfinished) return
  sender.unfinished = true
  uncounted.push(sender)
}

/** Each is given once. A request that was cut off runs no code any more, so that another one counts it. */
export function takeUnfinished(): readonly Sender[] {
  return uncounted.splice(0, COUNTED_AT_ONCE)
}
