// Checks the import order (docs/architecture.md): which folders each folder may import, by value and by type.

import type { Import } from './imports.ts'

/** The lowest layer: every folder may import these. */
const LOWEST_LAYER = ['lib', 'limits', 'env']

/** The other folders that each folder may import. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  limits: [],
  env: [],
  backup: [],
  settings: [],
  net: ['settings'],
  secrets: [],
  mcp: ['net'],
  agent: [],
  demo: ['agent'],
  'thread-search': [],
  model: ['agent', 'demo'],
  skills: ['backup'],
  files: ['agent'],
  sandbox: ['agent', 'files', 'skills'],
  unattended: [],
  replies: [],
  webhooks: ['backup', 'unattended', 'replies', 'secrets'],
  callbacks: ['backup', 'net', 'settings', 'webhooks', 'secrets'],
  schedules: ['backup', 'skills', 'unattended', 'webhooks'],
  client: [],
  page: ['client'],
  tools: ['agent', 'skills', 'files', 'sandbox', 'net', 'secrets', 'mcp'],
  thread: [
    'backup',
    'agent',
    'demo',
    'model',
    'settings',
    'tools',
    'skills',
    'files',
    'sandbox',
    'webhooks',
    'callbacks',
    'replies',
    'net',
    'secrets',
  ],
  workspace: [
    'backup',
    'agent',
    'model',
    'settings',
    'tools',
    'skills',
    'webhooks',
    'callbacks',
    'schedules',
    'secrets',
    'thread-search',
  ],
  api: [
    'backup',
    'agent',
    'demo',
    'model',
    'settings',
    'skills',
    'files',
    'unattended',
    'webhooks',
    'callbacks',
    'schedules',
    'tools',
    'net',
    'secrets',
    'thread-search',
  ],
}

/** Imports that are allowed for types only. */
const ALLOWED_TYPE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'thread-search': ['thread', 'workspace'],
  env: [
    'agent',
    'model',
    'settings',
    'thread',
    'workspace',
    'webhooks',
    'callbacks',
    'schedules',
    'skills',
    'sandbox',
  ],
  thread: ['workspace'],
  workspace: ['thread'],
  unattended: ['thread', 'skills', 'callbacks', 'workspace'],
  webhooks: ['thread', 'agent', 'callbacks', 'workspace'],
  schedules: ['thread'],
  page: ['agent', 'thread', 'skills', 'workspace', 'settings'],
  client: ['agent', 'thread', 'skills', 'workspace', 'unattended', 'webhooks', 'schedules'],
  api: ['thread', 'workspace'],
}

/** The other parts of skills/ that each part may import. */
const SKILLS_PART_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  format: [],
  search: ['format'],
  package: ['format', 'search'],
  scan: ['format', 'package'],
  check: ['format', 'package', 'scan'],
  store: ['format', 'package'],
  view: ['format', 'package', 'search', 'store'],
  catalog: ['format', 'package', 'search', 'store', 'view'],
  publish: ['check', 'format', 'package', 'search', 'store', 'view'],
  share: ['format', 'package', 'store', 'view'],
}
/** The only files of skills/catalog/ that other parts may import. */
const CATALOG_API = /^src\/skills\/catalog\/(tools-)?api\.ts$/

function violation({ from, to, typeOnly }: Import): string | null {
  const [source, folder = '', part = ''] = from.split('/')
  const [root, target = '', targetPart = ''] = to.split('/')
  if (source !== 'src') return null
  if (root !== 'src') return 'src/ may not import files outside of src/'
  if (folder === 'index.ts') return null
  if (folder !== target) {
    const allowed = [
      ...LOWEST_LAYER,
      ...(ALLOWED_IMPORTS[folder] ?? []),
      ...(typeOnly ? (ALLOWED_TYPE_IMPORTS[folder] ?? []) : []),
    ]
    if (allowed.includes(target)) return null
    return ALLOWED_TYPE_IMPORTS[folder]?.includes(target)
      ? `${folder}/ may import only types from ${target}/`
      : `${folder}/ may not import ${target}/`
  }
  if (
    folder !== 'skills' ||
    !(part in SKILLS_PART_IMPORTS) ||
    !(targetPart in SKILLS_PART_IMPORTS) ||
    part === targetPart
  )
    return null
  const isAllowed = SKILLS_PART_IMPORTS[part]?.includes(targetPart) || CATALOG_API.test(to)
  return isAllowed ? null : `skills/${part}/ may not import skills/${targetPart}/`
}

/** A message for each import that violates the order. */
export function outOfOrder(imports: readonly Import[]): readonly string[] {
  return imports.flatMap((imported) => {
    const reason = violation(imported)
    return reason === null ? [] : [`${imported.from} imports ${imported.to}: ${reason}.`]
  })
}
