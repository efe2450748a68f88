// Records what happens between a request and the model: calls between objects, each slowed down, and reads of KV and
// R2. The log is in order, so that a test counts what waited for what and measures no time.

import type { Env } from '../../src/env/env.ts'
import { watched } from './watched.ts'

/** Slow enough that parallel calls overlap even on a busy machine. */
export const HOP_MS = 100

interface Hop {
  readonly what: string
  readonly began: number
  /** Null while the call is under way. */
  ended: number | null
}

export class Watch {
  /** The duration of each call; 0 in tests that ignore them. */
  hopMs = HOP_MS
  readonly #hops: Hop[] = []
  /** Incremented with each event. */
  #at = 0
  /** The keys that were read, by store, in order. */
  readonly reads: { readonly kv: string[]; readonly r2: string[] } = { kv: [], r2: [] }

  clear(): void {
    this.#hops.length = 0
    this.reads.kv.length = 0
    this.reads.r2.length = 0
  }

  /**
   * The longest chain of calls that followed one another and are finished. A call of the thread itself counts as
   * finished when it has arrived, because it lasts as long as the run's stream.
   */
  chain(): readonly string[] {
    const over = this.#hops.flatMap(({ what, began, ended }) =>
      ended === null ? [] : [{ what, began, ended }],
    )
    const longest: { readonly ended: number; readonly chain: readonly string[] }[] = []
    for (const hop of over.toSorted((a, b) => a.began - b.began)) {
      const before = longest.filter(({ ended }) => ended < hop.began)
      const best = before.reduce<readonly string[]>(
        (a, { chain }) => (chain.length > a.length ? chain : a),
        [],
      )
      longest.push({ ended: hop.ended, chain: [...best, hop.what] })
    }
    return longest.reduce<readonly string[]>((a, { chain }) => (chain.length > a.length ? chain : a), [])
  }

  /** The calls that were made while `call` was under way, in order. */
  beside(call: string): readonly string[] {
    const it = this.#hops.find(({ what }) => what === call)
    if (!it) return []
    const end = it.ended ?? this.#at
    return this.#hops
      .filter((hop) => hop !== it && hop.began < end && (hop.ended ?? this.#at) > it.began)
      .map(({ what }) => what)
  }

  /** The same bindings, slowed down and recorded. */
  bindings(env: Env): Pick<Env, 'THREADS' | 'CATALOGS' | 'WORKSPACES' | 'SKILLS' | 'RESOURCES'> {
    return {
      THREADS: this.#objects('thread', env.THREADS, 'arrived'),
      CATALOGS: this.#objects('catalog', env.CATALOGS, 'answered'),
      WORKSPACES: this.#objects('workspace', env.WORKSPACES, 'answered'),
      SKILLS: noting(env.SKILLS, ['get', 'getWithMetadata', 'list'], this.reads.kv),
      RESOURCES: noting(env.RESOURCES, ['get', 'head', 'list'], this.reads.r2),
    }
  }

  #objects(
    kind: string,
    namespace: DurableObjectNamespace,
    over: 'arrived' | 'answered',
  ): DurableObjectNamespace {
    const slowed = (stub: object): object =>
      new Proxy(stub, {
        get: (target, method) => {
          const call: unknown = Reflect.get(target, method)
          if (typeof method !== 'string' || typeof call !== 'function') return call
          return async (...args: readonly unknown[]): Promise<unknown> => {
            const hop: Hop = { what: `${kind}.${method}`, began: this.#at++, ended: null }
            this.#hops.push(hop)
            await scheduler.wait(this.hopMs)
            if (over === 'arrived') hop.ended = this.#at++
            // Through the stub itself: a method that is detached from an RPC stub no longer knows its object.
            const stubs = target as Record<string, (...given: readonly unknown[]) => Promise<unknown>>
            const answer = await stubs[method]?.(...args)
            hop.ended ??= this.#at++
            return answer
          }
        },
      })
    return new Proxy(namespace, {
      get: (target, property) =>
        property === 'getByName'
          ? (name: string) => slowed(target.getByName(name))
          : Reflect.get(target, property),
    })
  }
}

function noting<T extends object>(store: T, methods: readonly string[], into: string[]): T {
  return watched(store, (method, [key]) => {
    if (methods.includes(method)) into.push(String(key))
  })
}
