// The page as static files: src/page bundled by wrangler's bundler. Files are named by their digest so that
// browsers can cache them; index.html names the first.

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { withEsbuild, type Esbuild } from '../lib/esbuild.ts'

const SOURCE = 'src/page'
/** Files that are served unchanged. */
export const COPIED_FILES = ['icon.svg', '_headers']
/** The folder of the bundled files below dist/assets. */
export const PAGE_FOLDER = 'page'
/** Bundled separately, because a worker is loaded by its address. */
const WORKER = 'src/page/markdown/highlight.worker.ts'

export interface BuiltPage {
  /** Path below dist/assets → contents. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The inputs, relative to the root. */
  readonly inputs: readonly string[]
}

/** Rejects with the bundler's message, which names file and line. */
export async function bundlePage(root: string): Promise<BuiltPage> {
  return withEsbuild(root, async (esbuild) => {
    const worker = await bundle(esbuild, root, [WORKER], {})
    const [address] = [...worker.entries.values()]
    const page = await bundle(esbuild, root, ['src/page/main.tsx', 'src/page/styles/main.css'], {
      HIGHLIGHT_WORKER: JSON.stringify(`/${address}`),
    })
    const html = await readFile(join(root, SOURCE, 'index.html'), 'utf8')
    const index = html.replace(/\/page\/([\w.-]+)/g, (_, name: string) => {
      const built = page.entries.get(name)
      if (built === undefined) throw new Error(`src/page/index.html names /page/${name}, which nothing makes`)
      return `/${built}`
    })
    return {
      files: new Map([...worker.files, ...page.files, ['index.html', new TextEncoder().encode(index)]]),
      inputs: [...new Set([...worker.inputs, ...page.inputs, `${SOURCE}/index.html`])],
    }
  })
}

interface Bundled {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** `main.js` → `page/main-HASH.js` */
  readonly entries: ReadonlyMap<string, string>
  readonly inputs: readonly string[]
}

async function bundle(
  esbuild: Esbuild,
  root: string,
  entries: readonly string[],
  define: Readonly<Record<string, string>>,
): Promise<Bundled> {
  const out = join(root, 'dist/assets', PAGE_FOLDER)
  const built = await esbuild.build({
    entryPoints: entries.map((entry) => join(root, entry)),
    absWorkingDir: root,
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    legalComments: 'inline',
    format: 'esm',
    target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define,
    logLevel: 'silent',
  })
  const files = built.outputFiles.map(
    ({ path, contents }) => [`${PAGE_FOLDER}/${basename(path)}`, contents] as const,
  )
  const first = Object.entries(built.metafile?.outputs ?? {}).flatMap(([path, { entryPoint }]) => {
    const name = entryPoint === undefined ? '' : basename(entryPoint).replace(/\.tsx?$/, '.js')
    return entryPoint === undefined ? [] : [[name, `${PAGE_FOLDER}/${basename(path)}`] as const]
  })
  return { files: new Map(files), entries: new Map(first), inputs: Object.keys(built.metafile?.inputs ?? {}) }
}
