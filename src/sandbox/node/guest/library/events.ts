// node:events, from Node's own library.

import { library } from './library.ts'

interface Emitter {
  on(event: string, call: (...args: readonly never[]) => unknown): this
  once(event: string, call: (...args: readonly never[]) => unknown): this
  off(event: string, call: (...args: readonly never[]) => unknown): this
  emit(event: string, ...args: readonly unknown[]): boolean
  listenerCount(event: string): number
}

// The cast is safe: this is Node's module, which is the class.
export const EventEmitter = library('events') as new () => Emitter
