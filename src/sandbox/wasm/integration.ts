// JavaScript Promise Integration: calls of WebAssembly that wait. Its types alone are made here.

/** What the types of our platform do not have yet. */
interface PromiseIntegration {
  readonly Suspending: new <T extends CallableFunction>(call: T) => T
  promising(call: CallableFunction): (...args: readonly number[]) => Promise<number>
}
// The cast: see above. Only a machine that waits uses it, so a host without it can still start one, for its image.
export const integration = WebAssembly as unknown as PromiseIntegration
