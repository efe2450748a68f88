// The sender of a request body: whose share of memory it uses, and where an unfinished body counts.

/** From the widest group to the narrowest. `credential`: a hook's id, or a key's with its workspace. */
export type SenderPath = readonly [
  kind: 'key' | 'hook' | 'other',
  workspace: string,
  credential: string,
  network: string,
]

export interface Sender {
  readonly path: SenderPath
  /** Its body was abandoned or broke off. */
  unfinished: boolean
}

const senders = new WeakMap<Request, Sender>()

/** Senders whose unfinished body is not counted yet. */
const uncounted: Sender[] = []
/** Counted after one request. Later requests count the rest. */
const COUNTED_AT_ONCE = 50

/** Call it before the body is read. */
export function sentBy(request: Request, path: SenderPath): void {
  senders.set(request, { path, unfinished: false })
}

export function senderOf(request: Request): Sender {
  return senders.get(request) ?? { path: ['other', '', '', ''], unfinished: false }
}

/** Once per body, by whoever notices first: its reader, or the memory budget that reclaimed it. */
export function didNotEnd(sender: Sender): void {
  if (sender.unfinished) return
  sender.unfinished = true
  uncounted.push(sender)
}

/** Returns each sender once. A request that was cut off runs no more code, so another request counts it. */
export function takeUnfinished(): readonly Sender[] {
  return uncounted.splice(0, COUNTED_AT_ONCE)
}
