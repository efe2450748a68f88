// Words of the same meaning in what people ask for and in what tools are called. A query may say it in another word.

import { terms } from '../../skills/search/tokens.ts'

/** What a synonym is worth in place of the word itself. */
export const SYNONYM_WORTH = 0.6

/** Between semicolons: words that often stand for one another. A word may be in several groups. */
const GROUPS = `
  create add new insert open register make set build; create start open raise file report; delete remove erase drop
  destroy purge trash discard clear wipe; update edit change modify set rename adjust patch revise alter correct fix
  replace; list show browse enumerate view display all; get fetch read retrieve load look view show details; search find
  query lookup locate filter; send post deliver publish submit message notify inform announce; upload attach import put
  add; download export get; start run launch execute trigger begin kick; stop cancel abort halt terminate kill end;
  retry rerun restart again rebuild repeat; copy duplicate clone fork; move transfer relocate transition advance stage;
  assign give allocate delegate reassign hand; invite share grant add give access permission; revoke remove deactivate
  disable suspend lock block; enable activate turn toggle switch on; disable off toggle turn pause deactivate; message
  dm chat text; email mail inbox gmail; picture image photo screenshot asset media; folder directory; file document doc
  object attachment; ticket issue bug task case problem; repository repo; pr pull merge request; branch ref; diff
  compare difference change between; commit push; ci build pipeline workflow job check; green passing status check
  succeed; person user member people contact colleague someone employee; customer client account buyer; company account
  organization organisation customer; event meeting appointment calendar invite call; schedule book plan reserve later
  tomorrow; reschedule move update postpone; free busy availability available slot; table spreadsheet sheet dataset; row
  record entry; column field attribute property; db database sql schema warehouse; log trace event; history audit
  changed log revision version; version release snapshot revision; error exception crash failure failed bug; metric
  statistics stats analytics kpi number count; graph chart dashboard plot; money payment charge pay transaction; card
  payment method; chargeback dispute; refund reimburse credit money back; invoice bill billing; subscription contract
  plan recurring; discount coupon promotion off; price cost rate fee; overdue unpaid late dunning reminder; tax vat;
  lead prospect; deal opportunity sale; campaign marketing; weather forecast rain temperature conditions precipitation;
  map route direction navigation driving drive; nearby near local around place business restaurant shop; address
  location coordinates geocode; distance travel time far; translate translation language; deploy release ship rollout
  deployment; flag feature toggle; comment reply note remark respond answer; channel room conversation; thread replies;
  label tag category; emoji reaction; approve accept confirm sign; reject decline deny refuse; close resolve finish
  complete done solve; subscribe follow watch; acknowledge ack; website site web page url link; scrape crawl extract
  fetch; news article headline; article page knowledge guide wiki; summary summarize overview digest; employee staff
  worker; manager boss reports reporting supervisor org; fire terminate offboarding leave dismiss; hire onboarding
  candidate applicant recruit; job position vacancy opening role; salary pay compensation wage payroll; vacation leave
  holiday absence time off pto away; sick ill absence; hours time worklog timesheet worked; office vacation responder
  away; shipment parcel package delivery tracking box; carrier courier ups dhl fedex shipping; pickup collect; return
  label send back; lost damaged claim; order purchase fulfilment; stock inventory quantity warehouse; goods receipt
  inbound arrived delivery; article product item sku; bin shelf location; urgent priority important high; on-call oncall
  schedule shift rotation; incident outage alert page; alert monitor threshold alarm; password credential; login sign
  session authentication; logout session sign out; mfa factor 2fa two authenticator; group team; app application; bucket
  s3 storage object; permission policy access restriction role; upload put; presigned url link share; lineage upstream
  downstream dependency source come; query statement select sql; experiment test ab; funnel conversion; retention cohort
  returning; path journey flow sequence click; segment audience cohort; publish live release; unpublish offline hide
  archive; alt alternative text; locale language; desk seat workplace; visitor guest; expense receipt reimbursement;
  trip travel business flight; broken fault defect facility repair issue; knowledge help center faq; satisfaction csat
  rating survey feedback; sla deadline breach due; macro canned template; draft unsent; spam junk; time zone timezone;
  sunset sunrise sun; air quality pollution pollen; first rows preview sample; aggregate group count sum; attendee
  participant guest invitee; document pdf docx; usage quota limit remaining; glossary term; picker pick picking wave;
  merge combine join duplicate; star favourite favorite bookmark; pin pinned; mute snooze silence; escalate escalation;
  postmortem retrospective review; guess detect identify recognize which; paraphrase rephrase reword rewrite; elevation
  altitude height; churn retention return; ltv lifetime revenue; dau mau active; recording replay session watch; webhook
  subscribe notify callback; signature proof delivered; customs declaration international abroad; quote rate compare
  price cost; dock truck ramp; short missing shortage; replenish refill restock; backorder unavailable; block hold
  quarantine freeze; release unblock lift free; operator worker picker staff; throughput productivity performance kpi;
  breadcrumb ancestor parent; child descendant subpage sub tree; inline highlighted passage selected; restrict
  restriction permission visibility; internal private hidden; canned macro template; rating score satisfaction; unlock
  locked; sso single sign application; offboard deactivate departing left terminate; enrol register enroll; signin login
  audit log; oncall duty; cover swap override substitute replace; similar past earlier previous recurring before;
  timeline note log; lunch menu canteen food cafeteria meal; guest visitor badge; laptop monitor equipment hardware
  device; reimburse expense receipt; room meeting conference; raw line entry; slow latency timing span trace; silence
  mute downtime maintenance suppress; slo objective reliability; server host machine infrastructure; depend dependency
  upstream downstream; timeseries metric value graph; credit consumption usage spend cost; plan explain execution;
  freshness quality; insert update delete write; definition schema structure describe metadata; payslip salary payroll;
  training course learning; review feedback appraisal evaluation; requisition position vacancy; payout bank withdrawal;
  capture charge collect hold fund; fraud suspicious risk; evidence dispute respond; balance fund; accountant
  bookkeeping accounting; metered usage consumption; upgrade downgrade change tier; preview simulate estimate trial
  test; aging receivable outstanding overdue owed; credit refund; void cancel annul; convert qualify turn; bulk batch
  many multiple several mass; rule filter automatic; trash bin discard; forward pass resend; conversation thread; accept
  decline respond rsvp invitation; slot time propose suggest available; topic subject title header; profile detail
  information; vulnerable vulnerability security; content read source; backlog sprint iteration; board kanban scrum;
  watcher follower; blocks relates link relation depends; archive archived cold old; lifecycle expire retention;
  metadata size info property; temporary presigned link share; overwrite replace put; percentage gradual canary rollout;
  rule target targeting condition; stale unused inactive; reference usage used use; environment staging production;
  continue unblock resume proceed; flaky failed failing execution; agent runner worker; tail last end output; exact
  literal; owner maintainer responsible; assignee owner responsible; boss supervisor manager; todo task followup
  reminder; wiki confluence page documentation; crm lead sale; spreadsheet csv export; signup registration register;
  mail postal letter; phone call number; site plant location facility; operating opening hours; reachable online
  available status; waiting queue queued pending; expected upcoming future inbound; actual real current now live;
  maximum limit cap threshold; minimum least; average mean statistics; total sum aggregate; newest latest recent last;
  oldest first; personal own mine; everyone whole organization public
`

const byTerm = new Map<string, readonly string[]>()

/** The stems of words that may stand for this stem. */
export function synonymsOf(term: string): readonly string[] {
  if (byTerm.size === 0)
    for (const group of GROUPS.split(';')) {
      const stems = [...new Set(terms(group))]
      for (const stem of stems) byTerm.set(stem, [...new Set([...(byTerm.get(stem) ?? []), ...stems])])
    }
  return (byTerm.get(term) ?? []).filter((other) => other !== term)
}
