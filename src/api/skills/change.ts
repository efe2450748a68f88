// Shared parts of requests that change skills: the caller, the precondition and the response.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { CatalogApi, ChangeTerms, Expect, ExpectedVersion } from '../../skills/catalog/api.ts'
import type { PublishDeps } from '../../skills/publish/write.ts'
import { settingsOf } from '../../settings/remembered.ts'
import { skillContent, skillStores } from '../../skills/store/content.ts'
import { currentBuild } from './build.ts'
import { versionExpected } from '../fields/conditions.ts'
import { invalidField } from '../problems/field-errors.ts'
import { change } from '../admission/expensive.ts'
import type { HttpContext, KeyedRoute, Reply } from '../route/route.ts'
import { KNOWN_TOOLS } from '../../tools/builtins.ts'

export function authorOf({ user, keyId }: Caller): string {
  return user ?? keyId
}

export function catalogOf(c: HttpContext, { workspace }: Pick<Caller, 'workspace'>): CatalogApi {
  return objects(c.env).catalog(workspace)
}

/** Dependencies of publishing and sharing. */
export function skillDeps(c: HttpContext, { workspace }: Pick<Caller, 'workspace'>, pace: Pace): PublishDeps {
  return {
    workspace,
    stores: skillStores(c.env, pace),
    content: skillContent(c.env, workspace, pace),
    catalog: catalogOf(c, { workspace }),
    tools: KNOWN_TOOLS,
    pace,
    maxBytes: async () => {
      const held = await settingsOf(c.env, workspace, systemClock)
      return held.ok ? ok(held.value.skills.max_bytes) : held
    },
  }
}

/** A route that changes skills, in a queue; `termsOf` reads who changes them and the precondition. */
export function changing<T>(
  termsOf: (c: HttpContext, caller: Caller) => Result<T>,
  handle: (c: HttpContext, caller: Caller, terms: T, pace: Pace) => Promise<Reply>,
): KeyedRoute['handle'] {
  return change(async (c, caller, pace) => {
    const terms = termsOf(c, caller)
    return terms.ok ? handle(c, caller, terms.value, pace) : terms
  })
}

function termsWith<T>(
  condition: (c: HttpContext) => Result<T>,
): (c: HttpContext, caller: Caller) => Result<ChangeTerms & T> {
  return (c, caller) => {
    const held = condition(c)
    if (!held.ok) return held
    const dryRun = isDryRun(c)
    if (!dryRun.ok) return dryRun
    const author = authorOf(caller)
    return ok({ author, build: currentBuild(), dryRun: dryRun.value, ...held.value })
  }
}

/** `If-Match: "<digest>"`: only that live version; `*`: any. `If-None-Match: *`: only if none is live. Neither: unconditional. */
function expectation(c: HttpContext): Result<{ readonly expect: Expect }> {
  const match = c.req.header('If-Match')
  const none = c.req.header('If-None-Match')
  if (match === undefined && none === undefined) return ok({ expect: undefined })
  if (match === undefined)
    return none?.trim() === '*' ? ok({ expect: null }) : unclear('If-None-Match', 'must be *')
  if (match.trim() === '*' && none === undefined) return ok({ expect: '*' })
  const digest = /^(?:W\/)?"?(?:sha256:)?([0-9a-f]{64})"?$/.exec(match.trim())?.[1]
  if (digest === undefined) return unclear('If-Match', 'must be one digest or *')
  return none === undefined
    ? ok({ expect: digest })
    : unclear('If-None-Match', 'cannot be combined with If-Match')
}

function unclear(path: string, message: string): Result<never> {
  const detail =
    'If-Match accepts the digest of one version, as its GET shows it, or * for any; If-None-Match accepts * alone.'
  return invalidField(path, message, detail)
}

function catalogExpectation(c: HttpContext): Result<{ readonly over: ExpectedVersion }> {
  const over = versionExpected(c, 'catalog version', 'GET /admin/catalog')
  return over.ok ? ok({ over: over.value }) : over
}

/** An unknown value must not turn a trial into a publish. */
function isDryRun(c: HttpContext): Result<boolean> {
  const text = c.req.query('dry_run') ?? '0'
  if (/^(?:0|1|true|false)$/.test(text)) return ok(text === '1' || text === 'true')
  return invalidField('dry_run', 'must be 1 or 0', 'dry_run accepts 1 (try only) or 0 (do it).')
}

/** The caller and the expected version of one skill. */
export const skillTerms = termsWith(expectation)

/** The caller and the expected catalog version. */
export const catalogTerms = termsWith(catalogExpectation)
