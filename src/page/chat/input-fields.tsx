// Names and values as a list.

import { excerptOf } from '../run/details.ts'

export interface InputFieldsProps {
  readonly fields: readonly (readonly [name: string, value: string])[]
}

export function InputFields({ fields }: InputFieldsProps) {
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
