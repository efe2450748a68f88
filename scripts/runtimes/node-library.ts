// The parts of Node's own library in JavaScript that run in QuickJS as they are, from the pinned release of Node.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { withEsbuild } from '../lib/esbuild.ts'

/** The modules, by Node's internal names. src/sandbox/node/guest/library/ loads them and gives them what they require. */
const MODULES = [
  'assert',
  'events',
  'internal/assert',
  'internal/assert/assertion_error',
  'internal/assert/calltracker',
  'internal/assert/myers_diff',
  'internal/assert/utils',
  'internal/cli_table',
  'internal/constants',
  'internal/errors',
  'internal/events/abort_listener',
  'internal/fixed_queue',
  'internal/fs/glob',
  'internal/mime',
  'internal/per_context/primordials',
  'internal/querystring',
  'internal/util',
  'internal/util/colors',
  'internal/util/comparisons',
  'internal/util/diff',
  'internal/util/inspect',
  'internal/util/parse_args/parse_args',
  'internal/util/parse_args/utils',
  'internal/util/types',
  'internal/validators',
  'path',
  'path/posix',
  'path/win32',
  'querystring',
  'url',
] as const

/** A script that sets the global variable `nodeLibrary` to the modules as functions. */
export async function nodeLibrary(root: string): Promise<string> {
  const print = `process.stdout.write(JSON.stringify(Object.fromEntries(${JSON.stringify(MODULES)}.map((name) => [name, process.binding('natives')[name]]))))`
  const printed = execFileSync(join(root, 'node_modules/.bin/node'), ['--no-warnings', '-e', print], {
    encoding: 'utf8',
    maxBuffer: 16_777_216,
  })
  // The cast is safe: the line above prints this.
  const sources = JSON.parse(printed) as Readonly<Record<string, string | undefined>>
  const entries = MODULES.map((name) => {
    const source = sources[name]
    if (source === undefined) throw new Error(`the pinned Node has no module "${name}"`)
    return `${JSON.stringify(name)}: function (exports, require, module, process, internalBinding, primordials) {\n${source}\n}`
  })
  return withEsbuild(root, async (esbuild) => {
    const contents = `globalThis.nodeLibrary = {${entries.join(',\n')}}`
    const built = await esbuild.build({
      stdin: { contents, loader: 'js' },
      write: false,
      minifyWhitespace: true,
      target: 'es2024',
      legalComments: 'inline',
      logLevel: 'silent',
    })
    return built.outputFiles[0]?.text ?? ''
  })
}
