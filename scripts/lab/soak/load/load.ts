// Load test of `npm start`: one key beyond its limits, and fifty users within theirs. The server must not be
// restarted, others must not be affected, and memory must stay close to that of normal use.

import { setTimeout as sleep } from 'node:timers/promises'

import { paint } from '../../../lib/terminal.ts'
import { describeTally, makeKeys, type Tally } from './people.ts'
import { LOAD_SCENES, type Load, type LoadScene, type SceneName } from './scenes.ts'
import { startModelApi } from '../../rig/model-api.ts'
import { startSatchel, withModelApi } from '../../rig/satchel.ts'
import { quantile } from '../../rig/stats.ts'
import { withServers } from '../../rig/worker.ts'
import { observeLoad, type LoadObservations } from './watch.ts'

const USERS = 50
const WITNESSES = 5
const HEALTH_P99_MS = 500
const HEALTH_WORST_MS = 2_000
const MEMORY_MB = 150
const THREAD_MB = 0.3
const SETTLE_MS = 60_000

type Variant = 'one' | 'many' | 'honest'

interface VariantResult extends LoadObservations {
  readonly tally: Tally
  /** MB per thread that remain after an idle minute: for the first load, and for a second one after it. */
  readonly threadMb: readonly [number, number] | null
}

/** Uses a fresh server for each variant of each scene, because memory of an earlier one would count. */
async function play(scene: LoadScene, variant: Variant): Promise<VariantResult | null> {
  const runVariant = scene[variant]
  if (!runVariant) return null
  return withServers(async (keep) => {
    const api = await keep(startModelApi(new URL('./model-api.ts', import.meta.url)))
    const server = await keep(startSatchel({ env: withModelApi(api.url) }))
    const keys = await makeKeys(server.client, USERS + WITNESSES + 1)
    const load: Load = { url: server.url, one: keys[0] ?? '', many: keys.slice(WITNESSES + 1) }
    const emptyMb = server.residentMb()
    const { value, seen: result } = await observeLoad(server, keys.slice(1, WITNESSES + 1), async () =>
      runVariant(load),
    )
    if (scene.threads === undefined || variant !== 'many') return { ...result, tally: value, threadMb: null }
    const settledMb = async (): Promise<number> => {
      await sleep(SETTLE_MS)
      return server.residentMb()
    }
    const firstMb = await settledMb()
    await runVariant(load)
    const secondMb = await settledMb()
    const threadMb = [(firstMb - emptyMb) / scene.threads, (secondMb - firstMb) / scene.threads] as const
    return { ...result, tally: value, threadMb }
  })
}

/** Lists violations. Within the limits, all requests are answered; beyond them, a refusal has a Retry-After. */
function faults(variant: Variant, result: VariantResult, honestMb: number | null): readonly string[] {
  const { tally, healthMs, restarts, broken, peakMb, threadMb } = result
  const refused = [...tally.statuses.keys()].filter((status) => status < 200 || status > 299)
  const allowed: readonly number[] = variant === 'one' ? [400, 413, 422, 429, 503] : []
  const wrong = refused.filter((status) => !allowed.includes(status))
  const p99 = quantile(healthMs, 0.99)
  const worst = healthMs.at(-1) ?? 0
  return [
    ...(restarts > 0 ? [`workerd was replaced ${restarts} times`] : []),
    ...broken,
    ...(wrong.length > 0 ? [`answered ${describeTally(tally)}`] : []),
    ...(tally.withoutRetryAfter > 0 ? [`${tally.withoutRetryAfter} refusals without Retry-After`] : []),
    ...(p99 > HEALTH_P99_MS ? [`/healthz p99 ${Math.round(p99)} ms`] : []),
    ...(worst > HEALTH_WORST_MS ? [`/healthz worst ${Math.round(worst)} ms`] : []),
    ...(honestMb !== null && peakMb - honestMb > MEMORY_MB
      ? [`${Math.round(peakMb - honestMb)} MB above honest use`]
      : []),
    // The allocator keeps memory of the first objects, 0.24 MB for an object that does nothing. Only a second load
    // shows leaks.
    ...(threadMb !== null && threadMb[1] > THREAD_MB
      ? [`${threadMb[1].toFixed(2)} MB retained for each additional thread`]
      : []),
  ]
}

function line(variant: Variant, { tally, healthMs, peakMb, restarts, threadMb }: VariantResult): string {
  const [p99, worst] = [quantile(healthMs, 0.99), healthMs.at(-1) ?? 0].map(Math.round)
  const after =
    threadMb === null
      ? ''
      : ` · ${threadMb[0].toFixed(2)} MB stay a thread, ${threadMb[1].toFixed(2)} a further one`
  const who = { one: 'one key', many: '50 keys', honest: 'honest use' }[variant]
  return `${who.padEnd(10)}  ${describeTally(tally) || 'nothing sent'} · /healthz p99 ${p99} ms, worst ${worst} ms · peak ${Math.round(peakMb)} MB · ${restarts} restarts${after}`
}

/** Returns the number of violations. */
export async function soakLoad(names: readonly SceneName[]): Promise<number> {
  let violations = 0
  for (const name of names) {
    const scene: LoadScene = LOAD_SCENES[name]
    console.log(`\n${paint('bold', name)}: ${scene.what}`)
    const honest = await play(scene, scene.honest ? 'honest' : 'many')
    for (const variant of ['honest', 'many', 'one'] as const) {
      const known = scene.honest ? variant === 'honest' : variant === 'many'
      const result = known ? honest : await play(scene, variant)
      if (!result) continue
      console.log(`  ${line(variant, result)}`)
      const wrong = faults(variant, result, known || !honest ? null : honest.peakMb)
      for (const fault of wrong) console.log(paint('red', `    ${fault}`))
      violations += wrong.length
    }
  }
  console.log(violations === 0 ? '\nNo other user noticed the load.' : `\n${violations} violations.`)
  return violations
}
