// The options menu: the model, its effort, the budget for one answer, and how full the context window is.

import { useId } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { formatMoney, formatNumber } from '../lib/format.ts'
import { BUDGET_DEFAULTS } from '../state/composer/limits.ts'
import { Popover } from '../parts/popover.tsx'
import type { ModelInfo } from '../../client/skills.ts'
import { EFFORTS, parseLimit } from '../state/composer/models.ts'
import { contextPercent } from '../state/composer/usage.ts'

/** The model of the open thread, or of the next new thread. */
export function useThreadModel(): { readonly id: string; readonly info: ModelInfo | null } {
  const { models, conversation } = useApp()
  const list = models.list.value ?? []
  const modelId = conversation.info.value?.model ?? models.choice.value.model
  const info = list.find(({ id }) => id === modelId) ?? list.find((model) => model.default) ?? list[0] ?? null
  return { id: conversation.info.value?.model ?? info?.id ?? '', info }
}

export function OptionsMenu() {
  const { id } = useThreadModel()
  const label = 'Model and limits'
  const text = (
    <>
      <span class="unseen">{label}: </span>
      <span class="model">{id || 'Model'}</span>
    </>
  )
  return (
    <Popover label={label} icon="sliders" kind="plain" class="options" text={text}>
      {() => <OptionsForm />}
    </Popover>
  )
}

function OptionsForm() {
  const { models, conversation } = useApp()
  const { id, info } = useThreadModel()
  const { effort, usd, steps } = models.choice.value
  const idPrefix = useId()
  const isNew = conversation.state.value === 'ready' && conversation.turns.value.length === 0
  const percent = contextPercent(conversation.info.value, info?.window)
  return (
    <div class="options-form">
      <div class="field">
        <label for={`${idPrefix}-model`}>Model</label>
        {isNew ? (
          <select
            id={`${idPrefix}-model`}
            value={id}
            onChange={({ currentTarget: { value } }) => models.choose({ model: value })}
          >
            {(models.list.value ?? []).map((model) => (
              <option key={model.id} value={model.id}>
                {model.id}
                {model.default ? ' (default)' : ''}
              </option>
            ))}
          </select>
        ) : (
          <output id={`${idPrefix}-model`}>{id}: a thread keeps its first model.</output>
        )}
      </div>
      <div class="field">
        <label for={`${idPrefix}-effort`}>Effort</label>
        <select
          id={`${idPrefix}-effort`}
          value={effort ?? ''}
          onChange={({ currentTarget: { value } }) =>
            models.choose({ effort: EFFORTS.find((effortName) => effortName === value) ?? null })
          }
        >
          <option value="">Default</option>
          {EFFORTS.map((effortName) => (
            <option key={effortName} value={effortName}>
              {effortName}
            </option>
          ))}
        </select>
      </div>
      <fieldset>
        <legend>Limits of one answer</legend>
        <LimitField kind="usd" label="Dollars" value={usd} />
        <LimitField kind="steps" label="Steps" value={steps} />
      </fieldset>
      {conversation.info.value && (
        <dl>
          <dt>Window</dt>
          <dd>{windowMessage(conversation.info.value.context_tokens, info?.window ?? null, percent)}</dd>
          <dt>Cost so far</dt>
          <dd>{formatMoney(conversation.info.value.charged.usd)}</dd>
        </dl>
      )}
    </div>
  )
}

interface LimitFieldProps {
  readonly kind: 'usd' | 'steps'
  readonly label: string
  readonly value: number | null
}

function LimitField({ kind, label, value }: LimitFieldProps) {
  const { models } = useApp()
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        placeholder={String(BUDGET_DEFAULTS[kind])}
        value={value ?? ''}
        onChange={({ currentTarget }) => {
          const limit = parseLimit(currentTarget.value, kind)
          models.choose({ [kind]: limit })
          currentTarget.value = limit === null ? '' : String(limit)
        }}
      />
    </label>
  )
}

function windowMessage(tokens: number | undefined, window: number | null, percent: number | null): string {
  if (tokens === undefined) return 'unknown'
  if (percent === null || window === null) return `${formatNumber(tokens)} tokens`
  return `${formatNumber(tokens)} of ${formatNumber(window)} tokens, ${percent} %`
}
