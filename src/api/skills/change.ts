// Shared parts of requests that change the catalog: the caller, the precondition and the dependencies.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { CatalogApi, ChangeTerms, Expect, ExpectedVersion } from '../../skills/catalog/api.ts'
import type { PublishDeps } from '../../skills/publish/write.ts'
import { settingsOf } from '../../settings/settings-cache.ts'
import { loadGrammarTables } from '../../skills/scan/code/common/grammar-tables.ts'
import { skillContent, skillStores } from '../../skills/store/content.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { expectedVersion } from '../fields/conditions.ts'
import { invalidField } from '../problems/field-errors.ts'
import { queueChange } from '../admission/queues.ts'
import type { HttpContext, KeyedRoute, Reply } from '../route/route.ts'
import { KNOWN_TOOLS } from '../../tools/builtins.ts'
import { installedPackages } from '../../tools/skills/installed-packages.ts'

export function authorOf({ user, keyId }: Caller): string {
  return user ?? keyId
}

export function catalogOf(c: HttpContext, { workspace }: Pick<Caller, 'workspace'>): CatalogApi {
  return objects(c.env).catalog(workspace)
}

/** The dependencies of publishing and sharing. */
export function skillDeps(c: HttpContext, { workspace }: Pick<Caller, 'workspace'>, pace: Pace): PublishDeps {
  return {
    workspace,
    stores: skillStores(c.env, pace),
    content: skillContent(c.env, workspace, pace),
    catalog: catalogOf(c, { workspace }),
    tools: KNOWN_TOOLS,
    installed: () => installedPackages(c.env),
    loadGrammars: () => loadGrammarTables(c.env.ASSETS),
    pace,
    maxBytes: async () => {
      const settings = await settingsOf(c.env, workspace, systemClock)
      return settings.ok ? ok(settings.value.skills.max_bytes) : settings
    },
  }
}

/** Creates a handler that changes the catalog in a queue. `readTerms` reads who makes the change, and its precondition. */
export function changeRoute<T>(
  readTerms: (c: HttpContext, caller: Caller) => Result<T>,
  handle: (c: HttpContext, caller: Caller, terms: T, pace: Pace) => Promise<Reply>,
): KeyedRoute['handle'] {
  return queueChange(async (c, caller, pace) => {
    const terms = readTerms(c, caller)
    return terms.ok ? handle(c, caller, terms.value, pace) : terms
  })
}

function requestTerms<T>(
  condition: (c: HttpContext) => Result<T>,
): (c: HttpContext, caller: Caller) => Result<ChangeTerms & T> {
  return (c, caller) => {
    const precondition = condition(c)
    if (!precondition.ok) return precondition
    const dryRun = isDryRun(c)
    if (!dryRun.ok) return dryRun
    const author = authorOf(caller)
    return ok({ author, build: currentBuild(), dryRun: dryRun.value, ...precondition.value })
  }
}

/**
 * The version that must be live. `If-Match` requires that digest, or any live version with `*`; `If-None-Match: *` requires that none
 * is live. Without either header the change is unconditional.
 */
function skillExpectation(c: HttpContext): Result<{ readonly expect: Expect }> {
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return ok({ expect: undefined })
  if (match === undefined)
    return noneMatch?.trim() === '*' ? ok({ expect: null }) : invalidCondition('If-None-Match', 'must be *')
  if (match.trim() === '*' && noneMatch === undefined) return ok({ expect: '*' })
  const digest = /^(?:W\/)?"?(?:sha256:)?([0-9a-f]{64})"?$/.exec(match.trim())?.[1]
  if (digest === undefined) return invalidCondition('If-Match', 'must be one digest or *')
  return noneMatch === undefined
    ? ok({ expect: digest })
    : invalidCondition('If-None-Match', 'cannot be combined with If-Match')
}

function invalidCondition(path: string, message: string): Result<never> {
  const detail =
    'To change an existing version, send If-Match with its digest (shown by GET), or If-Match: * for any version. To create one, send If-None-Match: *.'
  return invalidField(path, message, detail)
}

function catalogExpectation(c: HttpContext): Result<{ readonly over: ExpectedVersion }> {
  const expectedVersionResult = expectedVersion(c, 'catalog version', 'GET /admin/catalog')
  return expectedVersionResult.ok ? ok({ over: expectedVersionResult.value }) : expectedVersionResult
}

/** Refuses unknown values, which must not turn a trial into a publish. */
function isDryRun(c: HttpContext): Result<boolean> {
  const text = c.req.query('dry_run') ?? '0'
  if (/^(?:0|1|true|false)$/.test(text)) return ok(text === '1' || text === 'true')
  return invalidField(
    'dry_run',
    'must be 1 or 0',
    'dry_run must be 1 (only try the change) or 0 (make the change).',
  )
}

/** Reads the caller and the expected version of one skill or tool. */
export const skillTerms = requestTerms(skillExpectation)

/** Reads the caller and the expected version of the catalog. */
export const catalogTerms = requestTerms(catalogExpectation)
