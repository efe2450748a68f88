// Satchel's own modules that Node's library requires.

import { EventTarget } from 'event-target-shim'
import * as minimatch from 'minimatch'

import { asyncHooksModule } from './async-hooks.ts'
import { Buffer } from './base/buffer.ts'
import { lstatSync, readdirSync } from './fs.ts'
import { Dirent } from './fs-stats.ts'
import { internalUrl } from './url.ts'
import { inspect } from './library/inspect.ts'
import { provide } from './library/library.ts'

interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
}

const kindOf = (stats: Kinds): string => (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'device')

provide('internal/deps/minimatch/index', () => minimatch)
provide('buffer', () => ({ Buffer }))
provide('util', () => ({ inspect }))
provide('async_hooks', () => asyncHooksModule)
provide('internal/url', () => internalUrl)
provide('internal/event_target', () => ({
  isEventTarget: (value: unknown) => value instanceof EventTarget,
  kEvents: Symbol('kEvents'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
}))
provide('internal/crypto/keys', () => ({ isKeyObject: () => false, isCryptoKey: () => false }))
provide('fs', () => ({ lstatSync, readdirSync }))
provide('fs/promises', () => ({
  lstat: async (path: string) => lstatSync(path),
  readdir: async (path: string, options?: object) => readdirSync(path, options),
}))
provide('internal/fs/utils', () => ({
  DirentFromStats: class DirentFromStats extends Dirent {
    constructor(name: string, stats: Kinds, path: string) {
      super(name, kindOf(stats), path)
    }
  },
}))
