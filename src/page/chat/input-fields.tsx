// The fields of a call's input as a list of names and values.

import { excerptOf } from '../run/details.ts'
import { inputFields } from '../run/step-view.ts'

export function InputFields({ input }: { readonly input: unknown }) {
  const fields = inputFields(input)
  if (fields.length === 0) return null
  return (
    <dl class="fields">
      {fields.map(([name, value]) => {
        const { excerpt, note } = excerptOf(value)
        return (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">
              {excerpt}
              {note !== null && <small>{note}</small>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
