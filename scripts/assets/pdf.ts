// Patches pdf.js for the isolate, so that decompressed bytes are counted and reading a page yields to other work. If a
// release of pdf.js does not contain the code that a patch replaces, the build fails.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { RuntimeSource } from './bundle.ts'

const PACKAGE = 'node_modules/pdfjs-dist'

const PATCHES: readonly (readonly [from: string, to: string])[] = [
  // pdf.js awaits a microtask every 20 ms, which does not yield to other work.
  ['const deferred = Promise.resolve();', 'const deferred = { then: (go) => globalThis.takeTurns(go) };'],
  // pdf.js checks the time only after 100 steps of one form, which nested forms never reach.
  [
    'if (++this.checked < TimeSlotManager.CHECK_TIME_EVERY) {\n      return false;\n    }\n    this.checked = 0;\n    return this.endTime <= Date.now();',
    'return globalThis.isTurnOver();',
  ],
  // Twenty bytes of input could create sixteen million entries, each of which is a string.
  [
    'this.#mappedEntries += count;',
    'this.#mappedEntries += count;\n    globalThis.countUnpacked(count * 16);',
  ],
  // All streams that pdf.js decompresses grow here.
  [
    'const buffer2 = new Uint8Array(size);\n    buffer2.set(buffer);\n    return this.buffer = buffer2;',
    'globalThis.countUnpacked(size - buffer.byteLength);\n    const buffer2 = new Uint8Array(size);\n    buffer2.set(buffer);\n    return this.buffer = buffer2;',
  ],
  // Brotli is decompressed in a single step whose output cannot be counted. No PDF software uses it by default.
  ['case "BrotliDecode":', 'case "BrotliDecode (not counted, so not read)":'],
]

export const pdfBundle: RuntimeSource['plugins'][number] = (root) => ({
  name: 'pdf.js',
  setup(build) {
    build.onLoad({ filter: /pdfjs-dist\/build\/pdf\.worker\.mjs$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
      for (const [from, to] of PATCHES) {
        if (contents.split(from).length !== 2)
          throw new Error(
            `${path} does not contain this code exactly once: ${from}. Update the patch in scripts/assets/pdf.ts.`,
          )
        contents = contents.replace(from, () => to)
      }
      return { contents, loader: 'js' }
    })
    // Provides the tables that map codes in Chinese, Japanese and Korean fonts to characters, as one module.
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
