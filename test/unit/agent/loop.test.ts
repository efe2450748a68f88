// Guards "accepted is kept" in the agent loop: every state of a run has exactly one next action, and every way to stop
// has its own reason.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../src/agent/tool.ts'
import {
  decide,
  type NextAction,
  type CallState,
  type CallView,
  type RunView,
} from '../../../src/agent/loop.ts'
import { CUT_CONTINUATIONS_MAX, PAUSE_TURNS_MAX } from '../../../src/agent/limits.ts'

const START: RunView = {
  cancel: null,
  last: 'user',
  modelStop: null,
  calls: [],
  continuations: 0,
  isEmptyAnswer: false,
  hasOpenPlan: false,
  pauses: 0,
  summingUp: false,
  awaitsInput: false,
  isSteered: false,
  limit: null,
  compactionDue: false,
  onlyCompacts: false,
}

/** Calls that act, each a barrier. */
function acting(...states: readonly CallState[]): readonly CallView[] {
  return states.map((state) => ({ state, effect: 'once' }))
}

function reading(...states: readonly CallState[]): readonly CallView[] {
  return states.map((state) => ({ state, effect: 'read' }))
}

function output(modelStop: string, more: Partial<RunView> = {}): RunView {
  return { ...START, last: 'assistant', modelStop, ...more }
}

const LIMIT = { stop: 'step_limit', detail: 'Three steps.' } as const
const CALL: NextAction = { do: 'call_model', forbidTools: false }

function ended(status: string, stop: string): unknown {
  return expect.objectContaining({ do: 'end', status, stop })
}

describe('the loop', () => {
  const table: Record<string, [view: RunView, next: unknown]> = {
    'asks the model when somebody spoke to it': [START, CALL],
    'asks it without tools when a loop was found': [
      { ...START, summingUp: true },
      { do: 'call_model', forbidTools: true },
    ],
    'does not ask it past a limit': [
      { ...START, limit: LIMIT },
      { do: 'end', status: 'failed', stop: 'step_limit', detail: 'Three steps.' },
    ],
    'ends with the question that the person was asked': [
      { ...START, awaitsInput: true },
      ended('completed', 'awaiting_input'),
    ],
    'runs the tools it asked for': [
      output('tool_use', { calls: acting('planned', 'planned') }),
      { do: 'run_tools' },
    ],
    'continues with tools that were begun': [
      output('tool_use', { calls: acting('finished', 'started') }),
      { do: 'run_tools' },
    ],
    'waits for the call that waits, and makes none behind it': [
      output('tool_use', { calls: acting('finished', 'waiting', 'planned') }),
      { do: 'wait' },
    ],
    'makes the call before one that waits': [
      output('tool_use', { calls: acting('planned', 'waiting') }),
      { do: 'run_tools' },
    ],
    'reads beside what waits': [
      output('tool_use', { calls: reading('waiting', 'planned', 'finished') }),
      { do: 'run_tools' },
    ],
    'waits once all beside it is read': [
      output('tool_use', { calls: [...reading('waiting', 'finished'), ...acting('planned')] }),
      { do: 'wait' },
    ],
    'does not wait once somebody cancelled': [
      output('tool_use', { calls: acting('waiting'), cancel: 'cancelled' }),
      ended('cancelled', 'cancelled'),
    ],
    'answers when all are done': [
      output('tool_use', { calls: acting('finished', 'finished') }),
      { do: 'append_results' },
    ],
    'runs no tool past a limit': [
      output('tool_use', { calls: acting('planned'), limit: LIMIT }),
      ended('failed', 'step_limit'),
    ],
    'takes a call for tools without one as an answer': [output('tool_use'), ended('completed', 'answered')],
    'makes no call of a message that may hold none': [
      output('tool_use', { summingUp: true }),
      ended('completed', 'loop_detected'),
    ],
    'is done at the end of a turn': [output('end_turn'), ended('completed', 'answered')],
    'is done at a stop sequence': [output('stop_sequence'), ended('completed', 'answered')],
    'keeps an answer that came with the last of a budget': [
      output('end_turn', { limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'says that a loop was found': [
      output('end_turn', { summingUp: true }),
      ended('completed', 'loop_detected'),
    ],
    'goes on after a pause': [output('pause_turn', { pauses: PAUSE_TURNS_MAX - 1 }), CALL],
    'does not pause for ever': [
      output('pause_turn', { pauses: PAUSE_TURNS_MAX }),
      ended('failed', 'model_error'),
    ],
    'does not go on after a pause past a limit': [
      output('pause_turn', { pauses: 1, limit: LIMIT }),
      ended('failed', 'step_limit'),
    ],
    'ends at a refusal': [output('refusal'), ended('completed', 'refused')],
    'runs nothing of a message that was cut, and asks for the rest': [
      output('max_tokens', { calls: acting('planned'), continuations: CUT_CONTINUATIONS_MAX - 1 }),
      { do: 'ask_again', why: 'cut', otherwise: ended('completed', 'truncated') },
    ],
    'does not continue for ever what is cut': [
      output('max_tokens', { continuations: CUT_CONTINUATIONS_MAX }),
      ended('completed', 'truncated'),
    ],
    'keeps what was cut at a limit': [
      output('max_tokens', { limit: LIMIT }),
      ended('completed', 'truncated'),
    ],
    'asks again after an empty answer': [
      output('end_turn', { isEmptyAnswer: true }),
      { do: 'ask_again', why: 'empty', otherwise: ended('completed', 'answered') },
    ],
    'reminds the model of open items of its plan': [
      output('end_turn', { hasOpenPlan: true }),
      { do: 'ask_again', why: 'plan', otherwise: ended('completed', 'answered') },
    ],
    'does not remind a model that sums up after a loop': [
      output('end_turn', { hasOpenPlan: true, summingUp: true }),
      ended('completed', 'loop_detected'),
    ],
    'takes an empty answer at a limit': [
      output('end_turn', { isEmptyAnswer: true, limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'ends where the window is full': [
      output('model_context_window_exceeded'),
      ended('completed', 'truncated'),
    ],
    'stops safely at what it does not know': [output('tired'), ended('failed', 'model_error')],
    'joins what steers the run before the next call, and before it ends': [
      { ...START, isSteered: true },
      { do: 'join_steered', otherwise: null },
    ],
    'answers what steers the run with one more step': [
      output('end_turn', { isSteered: true }),
      { do: 'join_steered', otherwise: ended('completed', 'answered') },
    ],
    'leaves what steers the run to the next one at a limit': [
      output('end_turn', { isSteered: true, limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'leaves what steers the run to the next one when the person was asked': [
      { ...START, isSteered: true, awaitsInput: true },
      ended('completed', 'awaiting_input'),
    ],
    'obeys a cancel before all else': [
      output('tool_use', { calls: acting('planned'), cancel: 'cancelled', limit: LIMIT }),
      ended('cancelled', 'cancelled'),
    ],
    'says when a newer message interrupted': [
      { ...START, cancel: 'interrupted' },
      ended('cancelled', 'interrupted'),
    ],
  }
  for (const [what, [view, next]] of Object.entries(table))
    it(what, () => {
      expect(decide(view)).toEqual(next)
    })

  it('has one next action for every state, and no model call beyond a limit', () => {
    const view = fc.record<RunView>({
      cancel: fc.constantFrom(null, 'cancelled', 'interrupted'),
      last: fc.constantFrom('user', 'assistant'),
      modelStop: fc.option(
        fc.constantFrom('tool_use', 'end_turn', 'pause_turn', 'refusal', 'max_tokens', 'x'),
      ),
      calls: fc.array(
        fc.record<CallView>({
          state: fc.constantFrom<CallState>('planned', 'started', 'waiting', 'finished'),
          effect: fc.constantFrom<Effect>('read', 'idempotent', 'once'),
        }),
        { maxLength: 4 },
      ),
      continuations: fc.nat(CUT_CONTINUATIONS_MAX + 1),
      isEmptyAnswer: fc.boolean(),
      hasOpenPlan: fc.boolean(),
      pauses: fc.nat(PAUSE_TURNS_MAX + 1),
      summingUp: fc.boolean(),
      awaitsInput: fc.boolean(),
      isSteered: fc.boolean(),
      limit: fc.option(fc.constant(LIMIT)),
      compactionDue: fc.boolean(),
      onlyCompacts: fc.boolean(),
    })
    fc.assert(
      fc.property(view, (state) => {
        const action = decide(state)
        expect([
          'call_model',
          'compact',
          'run_tools',
          'append_results',
          'ask_again',
          'join_steered',
          'wait',
          'end',
        ]).toContain(action.do)
        if (state.limit || state.cancel)
          expect(['run_tools', 'call_model', 'compact', 'ask_again', 'join_steered', 'wait']).not.toContain(
            action.do,
          )
      }),
    )
  })
})
