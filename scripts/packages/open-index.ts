// Opens the index of a language, at the address from the command line or the environment. There is no default address.

import { ok } from '../../src/lib/result.ts'
import { indexAddress, indexHttp, type IndexHttp } from './index-http.ts'
import { nodeIndex, type NodeIndex } from './node-index.ts'
import { problem, type PackageResult } from './problem.ts'
import { pythonIndex, type PythonIndex } from './python-index.ts'

import type { Language } from './lock.ts'

/** The settings; undefined if not set. */
export type IndexAddresses = Readonly<Record<Language, string | undefined>>

/** The environment variables with the addresses. */
const INDEX_VARIABLES = { python: 'PYTHON_PACKAGE_INDEX', node: 'NPM_PACKAGE_INDEX' } as const
const OPTIONS = { python: '--index', node: '--npm-index' } as const
const EXAMPLES = {
  python: 'the address that pip calls --index-url',
  node: 'the address of an npm registry',
} as const

export function packageIndexes(
  options: Readonly<Partial<Record<Language, string | undefined>>>,
  environment: Readonly<Record<string, string | undefined>>,
): IndexAddresses {
  return {
    python: options.python ?? environment[INDEX_VARIABLES.python],
    node: options.node ?? environment[INDEX_VARIABLES.node],
  }
}

interface OpenIndex<I> {
  readonly index: I
  readonly http: IndexHttp
}

export function openPythonIndex(
  root: string,
  addresses: IndexAddresses,
): PackageResult<OpenIndex<PythonIndex>> {
  const address = addressOf('python', addresses)
  if (!address.ok) return address
  const http = indexHttp(address.value)
  return ok({ index: pythonIndex(root, address.value, http), http })
}

export function openNodeIndex(root: string, addresses: IndexAddresses): PackageResult<OpenIndex<NodeIndex>> {
  const address = addressOf('node', addresses)
  if (!address.ok) return address
  const http = indexHttp(address.value)
  return ok({ index: nodeIndex(root, address.value, http), http })
}

export function openIndex(
  root: string,
  language: Language,
  addresses: IndexAddresses,
): PackageResult<OpenIndex<PythonIndex | NodeIndex>> {
  return language === 'python' ? openPythonIndex(root, addresses) : openNodeIndex(root, addresses)
}

function addressOf(language: Language, addresses: IndexAddresses): PackageResult<string> {
  const setting = addresses[language]
  if (setting === undefined || setting === '')
    return problem(
      'index_missing',
      `No index is set for ${language === 'python' ? 'Python' : 'npm'} packages. Specify it with ${OPTIONS[language]} URL or ${INDEX_VARIABLES[language]} (${EXAMPLES[language]}).`,
    )
  return indexAddress(setting)
}
