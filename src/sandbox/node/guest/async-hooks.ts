// node:async_hooks: values that propagate to asynchronous calls. QuickJS does not report when an `await` continues, so
// a value propagates to callbacks and to one asynchronous call at a time.

import { unavailable } from './base/errors.ts'
import { captureContext, currentContext, setContext } from './base/timers.ts'

type Callback = (this: unknown, ...args: readonly unknown[]) => unknown

/** Storages with an asynchronous call that has not ended. */
const busy = new WeakSet<object>()

const { prototype } = Promise
/** Makes promise callbacks run with the values from when they were added. */
function followPromises(): void {
  // The cast is safe: every promise has this method.
  const own = Reflect.get(prototype, 'then') as Callback
  Reflect.set(prototype, 'then', function (this: unknown, ...calls: readonly unknown[]): unknown {
    if (currentContext().size === 0) return Reflect.apply(own, this, calls)
    // The cast is safe: the type was checked.
    return Reflect.apply(
      own,
      this,
      calls.map((call) => (typeof call === 'function' ? captureContext(call as Callback) : call)),
    )
  })
}
followPromises()

class AsyncLocalStorage {
  readonly #default: unknown

  constructor(options: { readonly defaultValue?: unknown } = {}) {
    this.#default = options.defaultValue
  }

  static bind(call: Callback): Callback {
    return captureContext(call)
  }

  static snapshot(): Callback {
    return captureContext((call, ...args) => (call as Callback)(...args))
  }

  run(store: unknown, call: Callback, ...args: readonly unknown[]): unknown {
    const before = currentContext()
    const inner = new Map(before).set(this, store)
    let isPending = false
    // Runs before the call continues after its first `await`, and after the caller's synchronous code.
    queueMicrotask(() => {
      if (isPending) setContext(inner)
    })
    setContext(inner)
    let result: unknown
    try {
      result = call(...args)
    } finally {
      setContext(before)
    }
    if (!(result instanceof Promise)) return result
    if (busy.has(before)) {
      result.catch(() => {})
      throw unavailable(
        'AsyncLocalStorage cannot follow several asynchronous calls at the same time here: await each call before the next, or pass the value as an argument',
      )
    }
    busy.add(before)
    isPending = true
    return result.finally(() => {
      isPending = false
      busy.delete(before)
      setContext(before)
    })
  }

  exit(call: Callback, ...args: readonly unknown[]): unknown {
    return this.run(undefined, call, ...args)
  }

  getStore(): unknown {
    const context = currentContext()
    return context.has(this) ? context.get(this) : this.#default
  }

  enterWith(store: unknown): void {
    setContext(new Map(currentContext()).set(this, store))
  }

  disable(): void {
    const context = new Map(currentContext())
    context.delete(this)
    setContext(context)
  }
}

class AsyncResource {
  readonly #call: Callback

  constructor() {
    this.#call = captureContext((call, self, ...args) => (call as Callback).apply(self, args))
  }

  static bind(call: Callback): Callback {
    return captureContext(call)
  }

  bind(call: Callback): Callback {
    return (...args) => this.#call(call, undefined, ...args)
  }

  runInAsyncScope(call: Callback, self?: unknown, ...args: readonly unknown[]): unknown {
    return this.#call(call, self, ...args)
  }

  emitDestroy(): this {
    return this
  }

  asyncId(): number {
    return 1
  }

  triggerAsyncId(): number {
    return 0
  }
}

export const asyncHooksModule = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => {
    throw unavailable(
      'async_hooks.createHook is not available: the engine does not report asynchronous calls',
    )
  },
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
}
