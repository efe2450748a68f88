// Imports the selected operations of an OpenAPI document as tools, in one catalog version, and reports why others were refused.

import * as z from 'zod'
import { config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { ok, type Result } from '../../lib/result.ts'
import { PUBLISH_NOTE_MAX_CHARS, TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import {
  HTTP_TOOL_GROUP_MAX_CHARS,
  HTTP_TOOL_LIST_ENTRIES_MAX,
  HTTP_TOOL_TEXT_MAX_CHARS,
  HTTP_TOOL_URL_MAX_CHARS,
  OPENAPI_OPERATIONS_MAX,
} from '../../limits/tools.ts'
import { TOOL_IMPORT_BODY_MAX_BYTES } from './limits.ts'
import type { NewTool } from '../../skills/catalog/tools-api.ts'
import type { Imported } from '../../tools/http/openapi/import.ts'
import { checkTool } from '../../tools/check-tool.ts'
import { RESERVED_TOOL_NAMES } from '../../tools/builtins.ts'
import { etag } from '../fields/conditions.ts'
import { shortText } from '../fields/fields.ts'
import { readJson } from '../bodies/json-body.ts'
import { json } from '../route/route.ts'
import { catalogOf, catalogTerms, changeRoute } from '../skills/change.ts'

const Selection = z.array(shortText(HTTP_TOOL_URL_MAX_CHARS).min(1)).max(OPENAPI_OPERATIONS_MAX).optional()

const ImportBody = z.strictObject({
  /** The document as JSON or YAML text, or as a JSON object. */
  document: z.union([z.string(), z.record(z.string(), z.unknown())]),
  /** Imports the operations that match any of `operations`, `tags` and `paths`, or all operations if none is given. */
  operations: Selection,
  tags: Selection,
  paths: Selection,
  /** A prefix for the name of each tool. */
  prefix: shortText(TOOL_NAME_MAX_CHARS).optional(),
  /** Replaces the server of the document. */
  server: shortText(HTTP_TOOL_URL_MAX_CHARS).optional(),
  /** Headers for every request of the tools. */
  headers: z
    .record(z.string(), shortText(HTTP_TOOL_TEXT_MAX_CHARS))
    .refine(
      (all) => Object.keys(all).length <= HTTP_TOOL_LIST_ENTRIES_MAX,
      `must have at most ${HTTP_TOOL_LIST_ENTRIES_MAX} headers`,
    )
    .optional(),
  group: shortText(HTTP_TOOL_GROUP_MAX_CHARS).min(1).optional(),
  note: shortText(PUBLISH_NOTE_MAX_CHARS).optional(),
})

type ImportRequest = z.infer<typeof ImportBody>

type CheckOptions = Parameters<typeof checkTool>[1]

interface ImportedTools extends Pick<Imported, 'refused' | 'unmatchedSelectors'> {
  readonly imported: readonly {
    readonly tool: NewTool
    readonly operation: string
    readonly notes: readonly string[]
  }[]
}

/** Converts the operations of the document to tools. An invalid operation does not affect the others. */
async function convertTools(body: ImportRequest, checkOptions: CheckOptions): Promise<Result<ImportedTools>> {
  const { document, note: _, ...options } = body
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  // Removes undefined fields, because importOpenApi accepts only options that are present or absent.
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined)
  const { importOpenApi } = await import('../../tools/http/openapi/import.ts')
  const converted = importOpenApi(text, Object.fromEntries(definedOptions), RESERVED_TOOL_NAMES, checkOptions)
  if (!converted.ok) return converted
  const imported: ImportedTools['imported'][number][] = []
  const refused = [...converted.value.refused]
  for (const { definition, operation, notes } of converted.value.tools) {
    const tool = await checkTool(definition, checkOptions)
    if (tool.ok) imported.push({ tool: tool.value, operation, notes })
    else refused.push({ operation, reason: tool.error.detail })
  }
  return ok({ imported, refused, unmatchedSelectors: converted.value.unmatchedSelectors })
}

/** Imports the tools and reports each operation. A dry run reports the same, but publishes nothing. */
export const importTools = changeRoute(catalogTerms, async (c, caller: Caller, changeTerms, pace) => {
  const body = await readJson(c.req.raw, ImportBody, TOOL_IMPORT_BODY_MAX_BYTES, pace.reportProgress)
  if (!body.ok) return body
  const { secretsInUrl } = config(c.env)
  const { data: request } = body.value
  const converted = await convertTools(request, { secretsInUrl })
  if (!converted.ok) return converted
  const { imported: tools, refused, unmatchedSelectors } = converted.value
  const upsert = {
    kind: 'upsert-tools',
    tools: tools.map(({ tool }) => tool),
    note: request.note ?? null,
  } as const
  const result = await catalogOf(c, caller).change({ ...changeTerms, operation: upsert })
  if (!result.ok) return result
  const { version: catalog_version, toolChanges } = result.value
  const imported = tools.map(({ tool: { name }, operation, notes }) => ({
    name,
    operation,
    change: toolChanges.added.includes(name)
      ? 'added'
      : toolChanges.changed.includes(name)
        ? 'changed'
        : 'same',
    notes,
  }))
  const responseFields = { imported, refused, unknown: unmatchedSelectors, catalog_version }
  return changeTerms.dryRun
    ? json({ ...responseFields, dry_run: true })
    : json(responseFields, 200, etag(catalog_version))
})
