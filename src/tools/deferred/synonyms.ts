// Words of the same meaning in what people ask for and in what tools are called. A query may say it in another word.

import { COLLOQUIAL_TERMS } from './colloquial-terms.ts'
import { listEntries, toolTerms } from './tool-terms.ts'

/** What a synonym is worth in place of the word itself. One of many says less. */
export function synonymWorth(count: number): number {
  return 0.6 / (1 + 0.02 * count)
}

/** Between semicolons: words that often stand for one another. A word may be in several groups. */
const GROUPS = `
  create add new insert open register make set build; create start open raise file report; delete remove erase drop
  destroy purge trash discard clear wipe; update edit change modify set rename adjust patch revise alter correct fix
  replace; list show browse enumerate view display all; get fetch read retrieve load look view show details; search
  find query lookup locate filter; send post deliver publish submit message notify inform announce; upload attach
  import put add; download export get; start run launch execute trigger begin kick; stop cancel abort halt terminate
  kill end; retry rerun restart again rebuild repeat; copy duplicate clone fork; move transfer relocate transition
  advance stage; assign give allocate delegate reassign hand; invite share grant add give access permission; revoke
  remove deactivate disable suspend lock block; enable activate turn toggle switch on; disable off toggle turn pause
  deactivate; message dm chat text; email mail inbox gmail; picture image photo screenshot asset media; file document
  doc object attachment; ticket issue bug task case problem; repository repo; pr pull merge request; branch ref; diff
  compare difference change between; commit push; ci build pipeline workflow job check; green passing status check
  succeed; person user member people contact colleague someone employee; customer client account buyer; company account
  organization organisation customer; event meeting appointment calendar invite call; schedule book plan reserve later
  tomorrow; reschedule move update postpone; free busy availability available slot; table spreadsheet sheet dataset;
  row record entry; column field attribute property; db database sql schema warehouse; log trace event; history audit
  changed log revision version; version release snapshot revision; error exception crash failure failed bug; metric
  statistics stats analytics kpi number count; graph chart dashboard plot; money payment charge pay transaction; card
  payment method; chargeback dispute; refund reimburse credit money back; invoice bill billing; subscription contract
  plan recurring; discount coupon promotion off; price cost rate fee; overdue unpaid late dunning reminder; tax vat;
  lead prospect; deal opportunity sale; campaign marketing; weather forecast rain temperature conditions precipitation;
  map route direction navigation driving drive; nearby near local around place business restaurant shop; address
  location coordinates geocode; distance travel time far; translate translation language; deploy release ship rollout
  deployment; comment reply note remark respond answer; channel room conversation; thread replies; label tag category;
  emoji reaction; approve accept confirm sign; reject decline deny refuse; close resolve finish complete done solve;
  subscribe follow watch; acknowledge ack; website site web page url link; scrape crawl extract fetch; news article
  headline; article page knowledge guide wiki; summary summarize overview digest; employee staff worker; manager boss
  reports reporting supervisor org; fire terminate offboarding leave dismiss; hire onboarding candidate applicant
  recruit; job position vacancy opening role; salary pay compensation wage payroll; vacation leave holiday absence time
  off pto away; hours time worklog timesheet worked; office vacation responder away; shipment parcel package delivery
  tracking box; carrier courier ups dhl fedex shipping; pickup collect; return label send back; lost damaged claim;
  order purchase fulfilment; stock inventory quantity warehouse; goods receipt inbound arrived delivery; article
  product item sku; bin shelf location; urgent priority important high; on-call oncall schedule shift rotation;
  incident outage alert page; alert monitor threshold alarm; password credential; login sign session authentication;
  logout session sign out; mfa factor 2fa two authenticator; group team; app application; bucket s3 storage object;
  permission policy access restriction role; presigned url link share; lineage upstream downstream dependency source
  come; query statement select sql; experiment test ab; funnel conversion; retention cohort returning; path journey
  flow sequence click; publish live release; unpublish offline hide archive; alt alternative text; locale language;
  desk seat workplace; expense receipt reimbursement; trip travel business flight; broken fault defect facility repair
  issue; knowledge help center faq; satisfaction csat rating survey feedback; sla deadline breach due; macro canned
  template; draft unsent; spam junk; time zone timezone; sunset sunrise sun; air quality pollution pollen; first rows
  preview sample; aggregate group count sum; attendee participant guest invitee; document pdf docx; usage quota limit
  remaining; glossary term; picker pick picking wave; merge combine join duplicate; star favourite favorite bookmark;
  pin pinned; mute snooze silence; escalate escalation; postmortem retrospective review; guess detect identify
  recognize which; paraphrase rephrase reword rewrite; elevation altitude height; churn retention return; ltv lifetime
  revenue; dau mau active; recording replay session watch; webhook subscribe notify callback; signature proof
  delivered; customs declaration international abroad; quote rate compare price cost; dock truck ramp; short missing
  shortage; replenish refill restock; backorder unavailable; block hold quarantine freeze; release unblock lift free;
  operator worker picker staff; throughput productivity performance kpi; breadcrumb ancestor parent; child descendant
  subpage sub tree; inline highlighted passage selected; restrict restriction permission visibility; internal private
  hidden; rating score satisfaction; unlock locked; sso single sign application; offboard deactivate departing left
  terminate; enrol register enroll; signin login audit log; oncall duty; cover swap override substitute replace;
  similar past earlier previous recurring before; timeline note log; lunch menu canteen food cafeteria meal; guest
  visitor badge; laptop monitor equipment hardware device; reimburse expense receipt; room meeting conference; raw line
  entry; slow latency timing span trace; silence mute downtime maintenance suppress; slo objective reliability; server
  host machine infrastructure; depend dependency upstream downstream; timeseries metric value graph; credit consumption
  usage spend cost; plan explain execution; freshness quality; insert update delete write; definition schema structure
  describe metadata; payslip salary payroll; training course learning; review feedback appraisal evaluation;
  requisition position vacancy; payout bank withdrawal; capture charge collect hold fund; fraud suspicious risk;
  evidence dispute respond; accountant bookkeeping accounting; metered usage consumption; upgrade downgrade change
  tier; preview simulate estimate trial test; aging receivable outstanding overdue owed; void cancel annul; convert
  qualify turn; bulk batch many multiple several mass; rule filter automatic; trash bin discard; forward pass resend;
  conversation thread; accept decline respond rsvp invitation; slot time propose suggest available; topic subject title
  header; profile detail information; vulnerable vulnerability security; content read source; backlog sprint iteration;
  board kanban scrum; watcher follower; blocks relates link relation depends; archive archived cold old; metadata size
  info property; temporary presigned link share; overwrite replace put; percentage gradual canary rollout; rule target
  targeting condition; stale unused inactive; reference usage used use; environment staging production; continue
  unblock resume proceed; flaky failed failing execution; agent runner worker; tail last end output; exact literal;
  owner maintainer responsible; assignee owner responsible; todo task followup reminder; wiki confluence page
  documentation; crm lead sale; spreadsheet csv export; signup registration register; mail postal letter; phone call
  number; site plant location facility; operating opening hours; reachable online available status; waiting queue
  queued pending; expected upcoming future inbound; actual real current now live; maximum limit cap threshold; minimum
  least; average mean statistics; total sum aggregate; newest latest recent last; oldest first; personal own mine;
  everyone whole organization public; patch diff; land merge squash; rollback revert undo restore reset; traceback
  stack exception; postpone delay push defer reschedule later; meet meeting together appointment; folder label
  directory; chase remind nudge reminder dunning followup; settle pay paid payment; owe owed outstanding unpaid; money
  balance fund cash amount; product sellable item catalog; ill sick unwell absence; compute capacity resize scale size
  warehouse; firing triggered active alerting; rule monitor policy condition; purge expire expiry lifecycle retention;
  old expired stale outdated; alter change modify compare; phone call dial; queue view list; audience cohort segment
  group; stuck blocked backorder; reroute redirect forward; recipient address delivery; locked suspended blocked
  status; toggle flag switch feature; help support assistance; request ticket; buy purchase order checkout; sell sale;
  ship send dispatch deliver; earn revenue income earnings; stock share ticker equity quote; crypto coin bitcoin token;
  exchange currency convert rate fx; hotel accommodation lodging stay; flight airline plane airport; train rail
  railway; taxi cab ride; restaurant dining eat food; itinerary trip travel plan; attraction sight landmark poi; song
  music track audio; video movie film clip youtube; podcast episode; transcript caption subtitle transcribe; voice
  speech tts say; book novel reading; recipe cooking dish meal ingredient; job career employment; resume cv; property
  house home apartment rent; car vehicle auto; gift present; doctor medical health symptom; fitness workout exercise
  training; math calculate calculator equation compute formula; diagram flowchart mermaid chart; slide presentation
  powerpoint ppt deck; word docx document; excel xlsx spreadsheet workbook sheet; ad advertisement campaign; tweet
  twitter post; paper arxiv research scholar academic publication; course learn lesson tutor education; law legal
  contract; container docker pod; cluster kubernetes k8s; domain dns host; env variable secret config configuration
  setting; package library dependency module; zip compress archive unzip; press news media coverage; temperature hot
  cold warm weather; wind storm rain snow; who user person owner; when time date schedule; where location place
  address; cost price expensive cheap; phone mobile number; look view see inspect check; obtain get fetch; terminate
  delete end cancel; owner author creator; open unresolved pending active; done closed completed resolved; headcount
  employee count; boss manager lead; bill invoice charge; voucher coupon code; van truck carrier; storage disk space;
  box crate carton; typo correct spelling grammar
`

const byTerm = new Map<string, readonly string[]>()

/** The stems of words that may stand for this stem. */
export function synonymsOf(term: string): readonly string[] {
  if (byTerm.size === 0) {
    for (const group of listEntries(GROUPS)) addMeanings(toolTerms(group), toolTerms(group))
    for (const [colloquial = '', meant = ''] of listEntries(COLLOQUIAL_TERMS).map((entry) =>
      entry.split(':'),
    ))
      addMeanings(toolTerms(colloquial), toolTerms(meant))
  }
  return byTerm.get(term) ?? []
}

function addMeanings(terms: readonly string[], meant: readonly string[]): void {
  for (const term of terms) {
    const all = new Set([...(byTerm.get(term) ?? []), ...meant])
    all.delete(term)
    byTerm.set(term, [...all])
  }
}
