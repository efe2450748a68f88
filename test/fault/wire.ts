// A thread whose model is the real adapter over a scripted Messages API, with the real list of models and prices.

import { anthropicModel } from '../../src/model/anthropic.ts'
import { modelRegistry, type ModelSettings } from '../../src/model/registry.ts'
import { fakeFetch, type Recorder, type Script } from '../fakes/messages-wire.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { speaks, TestThread, type HandClock } from './rig.ts'
import { World } from './world.ts'

export const KEY = 'sk-ant-0123456789-secret'

export interface Wired {
  readonly thread: TestThread
  /** The ports of `thread`, for use in another TestThread. */
  readonly ports: Partial<ThreadPorts>
  readonly recorder: Recorder
  readonly world: World
}

/** `idleMs`: silence after which a call is given up. `bills`: prompts are billed by length and caching. */
export function wired(
  script: Script,
  clock: Pick<HandClock, 'now'>,
  {
    silenceMaxMs: idleMs = 20,
    bills = false,
    ...settings
  }: Partial<ModelSettings> & { readonly silenceMaxMs?: number; readonly bills?: boolean } = {},
): Wired {
  const { fetch, recorder } = fakeFetch(script, bills)
  const world = new World()
  const { now } = clock
  const model = anthropicModel({ apiKey: KEY, baseUrl: 'https://api.test', fetch, silenceMaxMs: idleMs })
  const real = { apiKey: KEY, baseUrl: null, model: 'claude-sonnet-5-5', models: null }
  const registry = modelRegistry({ ...real, ...settings })
  const ports = { ...speaks(model, registry), now, randomFraction: () => 0, tools: () => world.tools }
  return { thread: new TestThread(ports), ports, recorder, world }
}
