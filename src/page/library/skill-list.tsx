// The library: every skill that the user may see, with a filter. Loaded when it is first opened.

import { signal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../lib/format.ts'
import { SkillMarks } from './skill-marks.tsx'
import { Field } from '../parts/field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { WindowList } from '../parts/window-list.tsx'
import { addressOf, SKILL_ADDRESS } from '../state/frame/route.ts'
import { skillSummary, skillTitle } from '../state/library/skill-text.ts'
import type { ListedSkill } from '../state/library/skills.ts'

/** The scroll offset of the list. It is module state, so that it is preserved while a skill is open. */
const listOffsetPx = signal(0)

export function SkillCatalog() {
  const { skills } = useApp()
  const allSkills = skills.list.value
  const filtered = skills.filtered.value
  const trouble = skills.trouble.value
  const isFiltered = skills.filter.value.trim() !== ''
  return (
    <section class="skills" aria-label="Skills">
      <div class="skills-head">
        <Field
          label="Filter skills"
          isLabelHidden
          keyboard="search"
          placeholder="Filter by name, tag or description"
          value={skills.filter.value}
          onInput={(query) => {
            listOffsetPx.value = 0
            skills.setFilter(query)
          }}
        />
        <p class="quiet" role="status">
          {allSkills &&
            !(trouble && allSkills.length === 0) &&
            !(isFiltered && filtered.length === 0) &&
            (isFiltered
              ? `${counted(filtered.length, 'skill')} of ${formatNumber(allSkills.length)}`
              : counted(allSkills.length, 'skill'))}
        </p>
      </div>
      <FailureNotice trouble={trouble} onRetry={() => void skills.ensureLoaded()} />
      {!allSkills && !trouble && <Skeleton lines={8} label="Skills are loading" />}
      {allSkills?.length === 0 && !trouble && (
        <p class="quiet empty">
          There are no skills here yet. To publish some, run <code>npm run skills:publish</code>.
        </p>
      )}
      {isFiltered && allSkills && allSkills.length > 0 && filtered.length === 0 && (
        <p class="quiet empty" role="status">
          No results for “<span dir="auto">{skills.filter.value.trim()}</span>”
        </p>
      )}
      {filtered.length > 0 && (
        <WindowList
          items={filtered}
          keyOf={({ name }) => name}
          rowRem={4.5}
          label="All skills"
          offsetPx={listOffsetPx}
        >
          {(skill) => <SkillRow skill={skill} />}
        </WindowList>
      )}
    </section>
  )
}

function SkillRow({ skill }: { readonly skill: ListedSkill }) {
  return (
    <a class="skill-line" href={addressOf({ view: SKILL_ADDRESS, id: skill.name })}>
      <span class="skill-name">
        <strong dir="auto">{skillTitle(skill)}</strong>
        {skill.card?.title && <code>{skill.name}</code>}
        <SkillMarks skill={skill} />
      </span>
      <span class="skill-says" dir="auto">
        {skillSummary(skill)}
      </span>
    </a>
  )
}
