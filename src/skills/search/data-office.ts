// What people call the things of office, business and everyday life, and what skills call them. Data only.

/**
 * A line of words means the same in both directions; `said > meant` in one alone. Words joined by `_` stand for
 * neighbours in a query.
 */
export const OFFICE = `
deck slide presentation powerpoint pptx slideshow keynote pitch
spreadsheet excel xlsx xls worksheet workbook csv sheet
word_document docx word_file > docx document word
document doc paper file
pdf acrobat
invoice bill receipt billing
email mail mailbox inbox
gmail outlook > email inbox
meeting appointment call calendar schedule
calendar schedule agenda booking reminder
summary summarize digest recap brief overview tldr
shorten condense boil_down sum_up nutshell gist > summarize summary digest
translate translation localization language multilingual i18n
picture image photo photograph graphic illustration artwork
logo icon brand branding
chart graph plot diagram visualization dataviz figure
map geospatial gis location
video clip movie film footage animation
audio sound music song voice speech podcast
transcript transcribe transcription dictation subtitle caption
letter correspondence
contract agreement nda legal clause
lawyer attorney law solicitor > legal contract compliance
rules regulation compliance regulatory policy gdpr
privacy gdpr personal_data pii
money finance financial budget cash funds
budget cost spending expense price pricing
cheap cheaper save saving expensive bill too_high reduce_bill > cost optimization pricing budget
tax irs vat deduction fiscal
accountant bookkeeper bookkeeping ledger accounting reconciliation
payroll salary wage compensation
stock share equity investment investor portfolio trading
etf fund index_fund tracker > fund etf investment
bond debt credit loan lender > credit bond loan
pay_back default_risk creditworthiness > credit risk issuer rating
company firm business enterprise organization corporate corporation
young_company founder venture > startup founder
startup founder entrepreneur venture
ceo boss chief executive leadership management
board directors > board executive
employee staff coworker colleague worker team teammate
hire hiring recruit recruiting candidate interview applicant talent
resume cv job_application curriculum
job career position vacancy
onboard onboarding newcomer new_hire
customer client buyer consumer shopper account
prospect lead sales outreach pipeline
sell selling sale seller > sales prospect lead deal
deal opportunity crm pipeline
phone telephone call dial ring voice
text_message sms texting texts > sms message messaging
chat message messaging conversation im dm
talked_about discussed > chat channel conversation message summary
reply answer respond response
competitor rival competition competitive
market industry segment tam
marketing advertising advertise campaign promotion promote ads ad
more_customers more_signups sign_ups get_users > acquisition growth demand conversion marketing
buy purchase buying checkout order
visitors_leave bounce > conversion cro optimization page
shop store ecommerce shopify merchant storefront retail
ship shipping delivery package parcel logistics
warehouse inventory stock supply
website site webpage web homepage
search_engine google_find findable found_on_google rank_higher > seo search keyword
rank ranking > seo content search
seo search_engine keyword organic
article blog post content copy essay
write writing author draft compose
rewrite edit proofread polish copyedit
tone voice style brand
grammar spelling typo punctuation dash
story narrative storytelling persuasive compelling
convince persuade persuasive argue > persuasive storytelling narrative argument
speech talk keynote presentation
poster flyer brochure leaflet banner
social_media instagram tiktok facebook twitter linkedin tweet > social media post content
newsletter mailing campaign
survey questionnaire poll form feedback
things_to_ask list_of_questions > questionnaire question interview
idea brainstorm ideation creative
decision decide choose tradeoff
plan planning roadmap strategy
strategy strategic okr goal objective
devil_advocate pick_holes challenge criticise criticize > critic adversarial stress mentor review
todo task ticket issue backlog
ticket issue bug jira tracker backlog
deadline overdue due late
priority prioritize triage urgent important first
first_today answer_first needs_answer > triage priority urgent
project program initiative
note notes notebook knowledge memo
remember memory memorize recall
lose_track keep_track > track plan progress memory
learn teach education tutorial course lesson training
explain explanation walkthrough
student pupil school university academic exam
teacher classroom lecture curriculum
science scientific research study experiment
research investigate investigation study
paper article publication journal manuscript literature
citation reference bibliography zotero
conference poster talk academic
report brief memo
health medical clinical patient hospital doctor medicine
drug pharma compound medication molecule
disease illness diagnosis clinical
dna gene genome genetic genomic sequence
mutation variant snp vcf
cell single_cell biology
protein antibody peptide structure
sugar glycan carbohydrate glycosylation
chemistry chemical molecule compound reaction
physics simulation physical
weather climate forecast
forecast predict prediction projection future estimate
market_size potential > market sizing opportunity
travel trip flight hotel itinerary vacation
food recipe meal cooking nutrition
home house property real_estate
energy power electricity grid
car vehicle automotive driving
government public grant tender
insurance claim policy
risk hazard threat
emergency incident outage crisis
audit assessment evaluation inspection
check verify validate review inspect
compare comparison versus difference
improve optimize enhance better
find search lookup discover look_up
tell_me_about who_is background > research profile lookup contact
person people contact profile
approve approval permission consent sign_off
hand_over handover somebody_else go_on carry_on pass_on > handoff context summary
template boilerplate starter scaffold
form questionnaire fill
signature sign esign docusign
scan scanned ocr digitize
read_scanned extract_text > ocr extract document
merge combine join consolidate
split separate divide
convert conversion transform export
organize sort tidy arrange cleanup
clean_up tidy_up messy > clean refactor organize
event conference webinar workshop
feedback criticism critique review
politely tactful > constructive feedback
complaint support helpdesk ticket
support helpdesk customer_service agent
support_bot chatbot virtual_agent > chatbot virtual agent assistant
chatbot assistant bot agent virtual
interview transcript user_research
persona audience segment
game gamer gaming player
blind deaf disabled disability screen_reader impaired > accessibility wcag inclusive
keyboard_only colour_blind color_blind contrast > accessibility inclusive color
accessibility a11y wcag inclusive aria
usable > accessibility usability
looks design appearance visual aesthetic layout
feels_off ugly pretty beautiful > design ui ux review
ux usability user_experience ui interface
color colour palette theme
font typography typeface
free_users start_paying freemium upsell > paywall upgrade subscription conversion
subscription paywall membership plan upgrade
decision_maker > decision lead contact
`
