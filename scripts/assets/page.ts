// Bundles src/page into static files with wrangler's bundler. The names of the files contain a hash, so that browsers
// can cache them; index.html refers to the first ones.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { withEsbuild, type Esbuild } from '../lib/esbuild.ts'

const SOURCE = 'src/page'
/** Files that are served unchanged. */
export const COPIED_FILES = ['icon.svg']
/** The files that browsers and the server know by name. They are built, too. */
export const NAMED_FILES = ['index.html', 'preview.html', '_headers']
/** The script of preview.html, which is part of that document and allowed by its hash. */
const PREVIEW_SCRIPT = 'src/page/html-preview/frame.ts'
/** The folder of the bundled files below dist/assets. */
export const PAGE_FOLDER = 'page'
/** The Workers of the page. Bundled separately, because they are loaded by their addresses. */
const WORKERS = ['src/page/markdown/highlight.worker.ts', 'src/page/markdown/math.worker.ts']

/** What all bundles have in common. */
const OPTIONS = {
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  legalComments: 'inline',
  format: 'esm',
  target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
  logLevel: 'silent',
} as const

export interface BuiltPage {
  /** The contents of each file, by path below dist/assets. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The paths of all sources, relative to the root. */
  readonly inputs: readonly string[]
}

/** Bundles the page. Rejects with the bundler's message, which names file and line. */
export async function bundlePage(root: string): Promise<BuiltPage> {
  return withEsbuild(root, async (esbuild) => {
    const workers = await bundle(esbuild, root, WORKERS, {})
    const address = (name: string): string => JSON.stringify(`/${workers.entries.get(name)}`)
    const page = await bundle(esbuild, root, ['src/page/main.tsx', 'src/page/styles/main.css'], {
      HIGHLIGHT_WORKER: address('highlight.worker.js'),
      MATH_WORKER: address('math.worker.js'),
    })
    const html = await readFile(join(root, SOURCE, 'index.html'), 'utf8')
    const index = html.replace(/\/page\/([\w.-]+)/g, (_, name: string) => {
      const result = page.entries.get(name)
      if (result === undefined)
        throw new Error(
          `src/page/index.html refers to /page/${name}, but the build does not create this file. Correct the reference.`,
        )
      return `/${result}`
    })
    const preview = await bundlePreview(esbuild, root)
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
    return {
      files: new Map([
        ...workers.files,
        ...page.files,
        ['preview.html', encode(preview.html)],
        ['_headers', encode(preview.headers)],
        ['index.html', encode(index)],
      ]),
      inputs: [...new Set([...workers.inputs, ...page.inputs, ...preview.inputs, `${SOURCE}/index.html`])],
    }
  })
}

/** Puts the script into preview.html, and its hash into the policy of that document. */
async function bundlePreview(
  esbuild: Esbuild,
  root: string,
): Promise<{ readonly html: string; readonly headers: string; readonly inputs: readonly string[] }> {
  const documentPath = `${SOURCE}/html-preview/preview.html`
  const headersPath = `${SOURCE}/_headers`
  const result = await esbuild.build({
    ...OPTIONS,
    entryPoints: [join(root, PREVIEW_SCRIPT)],
    absWorkingDir: root,
  })
  // The end of a script's element would end it inside a string, too.
  const script = (result.outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script').trim()
  const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`
  const html = await readFile(join(root, documentPath), 'utf8')
  const headers = await readFile(join(root, headersPath), 'utf8')
  return {
    html: html.replace(/<script>\s*SCRIPT\s*<\/script>/, () => `<script>${script}</script>`),
    headers: headers.replace("'HASH'", `'${hash}'`),
    inputs: [...Object.keys(result.metafile?.inputs ?? {}), documentPath, headersPath],
  }
}

interface BundleResult {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Maps the name of an entry or font to its path, such as `main.js` to `page/main-HASH.js`. */
  readonly entries: ReadonlyMap<string, string>
  readonly inputs: readonly string[]
}

async function bundle(
  esbuild: Esbuild,
  root: string,
  entries: readonly string[],
  define: Readonly<Record<string, string>>,
): Promise<BundleResult> {
  const out = join(root, 'dist/assets', PAGE_FOLDER)
  const result = await esbuild.build({
    ...OPTIONS,
    entryPoints: entries.map((entry) => join(root, entry)),
    absWorkingDir: root,
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define,
  })
  const files = result.outputFiles.map(
    ({ path, contents }) => [`${PAGE_FOLDER}/${basename(path)}`, contents] as const,
  )
  const entryPaths = Object.entries(result.metafile?.outputs ?? {}).flatMap(
    ([path, { entryPoint, inputs }]) => {
      const source = entryPoint ?? Object.keys(inputs).find((input) => input.endsWith('.woff2'))
      const name = source === undefined ? '' : basename(source).replace(/\.tsx?$/, '.js')
      return source === undefined ? [] : [[name, `${PAGE_FOLDER}/${basename(path)}`] as const]
    },
  )
  return {
    files: new Map(files),
    entries: new Map(entryPaths),
    inputs: Object.keys(result.metafile?.inputs ?? {}),
  }
}
