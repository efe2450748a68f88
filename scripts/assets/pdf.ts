// Patches pdf.js for the isolate: unpacked bytes are counted, and reading a page yields to other work. Each patch
// names the code that it replaces; a release of pdf.js without that code fails the build.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { RuntimeSource } from './bundle.ts'

const PACKAGE = 'node_modules/pdfjs-dist'

const CHANGES: readonly (readonly [from: string, to: string])[] = [
  // Every 20 ms on a page it awaited a microtask, which does not yield.
  ['const deferred = Promise.resolve();', 'const deferred = { then: (go) => globalThis.takeTurns(go) };'],
  // It read the clock after 100 steps of one form; nested forms never reach that.
  [
    'if (++this.checked < TimeSlotManager.CHECK_TIME_EVERY) {\n      return false;\n    }\n    this.checked = 0;\n    return this.endTime <= Date.now();',
    'return globalThis.isTurnOver();',
  ],
  // Twenty bytes could create sixteen million entries, each a string.
  [
    'this.#mappedEntries += count;',
    'this.#mappedEntries += count;\n    globalThis.countUnpacked(count * 16);',
  ],
  // Every stream that it unpacks grows here.
  [
    'const buffer2 = new Uint8Array(size);\n    buffer2.set(buffer);\n    return this.buffer = buffer2;',
    'globalThis.countUnpacked(size - buffer.byteLength);\n    const buffer2 = new Uint8Array(size);\n    buffer2.set(buffer);\n    return this.buffer = buffer2;',
  ],
  // Brotli is unpacked in one step that cannot be counted; no producer uses it by default.
  ['case "BrotliDecode":', 'case "BrotliDecode (not counted, so not read)":'],
]

export const pdfBundle: RuntimeSource['plugins'][number] = (root) => ({
  name: 'pdf.js',
  setup(build) {
    build.onLoad({ filter: /pdfjs-dist\/build\/pdf\.worker\.mjs$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
      for (const [from, to] of CHANGES) {
        if (contents.split(from).length !== 2)
          throw new Error(
            `${path} has not exactly one place to change: ${from}. Look at scripts/assets/pdf.ts.`,
          )
        contents = contents.replace(from, () => to)
      }
      return { contents, loader: 'js' }
    })
    // Tables that map codes of Chinese, Japanese and Korean fonts to characters, as one module.
    build.onResolve({ filter: /^pdf-cmaps$/ }, ({ path }) => ({ path, namespace: 'pdf' }))
    build.onLoad({ filter: /^pdf-cmaps$/, namespace: 'pdf' }, () => {
      const folder = join(root, PACKAGE, 'cmaps')
      const files = readdirSync(folder).filter((file) => file.endsWith('.bcmap'))
      const maps = Object.fromEntries(
        files.toSorted().map((file) => [file, readFileSync(join(folder, file)).toString('base64')]),
      )
      return { contents: `export const CMAPS = ${JSON.stringify(maps)}`, loader: 'js' }
    })
  },
})
