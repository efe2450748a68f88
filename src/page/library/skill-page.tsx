// One skill: its text, its files, and a button to try it. Loaded when the first one is opened.

import type { ComponentChildren } from 'preact'

import { counted } from '../../lib/counted.ts'
import type { SkillDetail } from '../../client/skills.ts'
import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import type { Trouble } from '../lib/failure.ts'
import { formatNumber, shortenDigest, formatSize, formatTime } from '../lib/format.ts'
import { Prose } from '../markdown/prose.tsx'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { SkillFiles } from './skill-files.tsx'
import { SkillMarks } from './skill-marks.tsx'
import { useTrySkill } from '../actions/try-skill.ts'
import { skillSummary, skillTitle } from '../state/library/skill-text.ts'

export function SkillArticle() {
  const { openedSkill, route } = useApp()
  const skill = openedSkill.skill.value
  const trouble = openedSkill.trouble.value
  return (
    <section class="skill" aria-label="Skill">
      <FailureNotice
        trouble={trouble && offerRetry(trouble)}
        onRetry={() => void openedSkill.open(route.current.peek().id ?? '')}
      />
      {!skill && !trouble && <Skeleton lines={8} label="The skill is loading" />}
      {skill && <SkillPage key={skill.name} skill={skill} />}
    </section>
  )
}

/** Offers to try again if the skill is missing: it may be published later, and a new thread would not help. */
function offerRetry(trouble: Trouble): Trouble {
  return trouble.remedy === 'new' ? { ...trouble, remedy: 'again' } : trouble
}

function SkillPage({ skill }: { readonly skill: SkillDetail }) {
  const trySkill = useTrySkill()
  const { name, description, argument_hint: hint, enabled, tags, user_invocable: callable } = skill
  return (
    <>
      <div class="skill-top">
        <div class="skill-name">
          <h2 dir="auto">{skillTitle(skill)}</h2>
          <SkillMarks skill={{ ...skill, callable }} />
        </div>
        <p class="skill-lead" dir="auto">
          {skillSummary(skill)}
        </p>
        <div class="ways">
          {enabled && (
            <Button kind="main" onPress={() => trySkill({ name, callable })}>
              Try it
            </Button>
          )}
          {callable && (
            <p class="quiet">
              or type{' '}
              <code>
                /{name} {hint}
              </code>
            </p>
          )}
        </div>
      </div>
      <Facts skill={skill} />
      <details class="findings">
        <summary>When the agent uses it</summary>
        <p dir="auto">{description}</p>
        {tags.length > 0 && <p dir="auto">Tags: {tags.join(', ')}</p>}
      </details>
      {skill.diagnostics.length > 0 && (
        <details class="findings">
          <summary>{counted(skill.diagnostics.length, 'note')} on this skill</summary>
          <ul>
            {skill.diagnostics.map(({ message }, index) => (
              <li key={index} dir="auto">
                {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <SkillFiles skill={skill} />
      <article class="skill-body" aria-label="SKILL.md">
        <h2 class="skill-file-name">SKILL.md</h2>
        <Prose text={skill.body} done />
      </article>
    </>
  )
}

function Facts({ skill }: { readonly skill: SkillDetail }) {
  const { digest, version, license, tokens, bytes, dependencies, updated_at: updated } = skill
  return (
    <dl class="facts">
      {version && <Fact name="Version">{version}</Fact>}
      {license && <Fact name="License">{license}</Fact>}
      <Fact name="Tokens">{formatNumber(tokens.body)}</Fact>
      <Fact name="Size">{formatSize(bytes)}</Fact>
      {updated && <Fact name="Published">{formatTime(updated)}</Fact>}
      {dependencies.length > 0 && <Fact name="Needs">{dependencies.join(', ')}</Fact>}
      <Fact name="Digest">
        <code title={digest}>{shortenDigest(digest)}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
