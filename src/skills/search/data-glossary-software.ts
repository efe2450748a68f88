// Words of software in fourteen languages, each line behind its English. Data only; the form is that of
// data-glossary-work.ts.

export const GLOSSARY_SOFTWARE = `
code: quellcode code código codice код kod 代码 コード 코드 kod كود شفرة कोड
program programming develop: programm entwickl programmation développ program desarroll programação desenvolv programm svilupp ontwikkel программ разработ program rozwij 编程 开发 プログラミング 開発 프로그래밍 개발 program geliştir برمجة تطوير प्रोग्राम विकास
developer: entwickler développeur desarrollador desenvolvedor sviluppatore ontwikkelaar разработчик programist 开发者 開発者 개발자 geliştirici مطور डेवलपर
error bug: fehler erreur bogue error fallo erro errore fout ошибк błąd błęd 错误 缺陷 エラー バグ 不具合 오류 버그 hata خطأ त्रुटि
fix repair: beheb reparier corrig répar corregir arregl corrigir consertar correggi risolv repareer herstel исправ почин napraw 修复 修正 直し 수정 고치 düzelt إصلاح ठीक
debug cause diagnose: ursache débog cause depur causa diagnost отлад причин przyczyn debugow 调试 排查 诊断 デバッグ 原因 診断 디버그 원인 진단 hata_ayıklama تصحيح डिबग
crash: absturz abstürz plantage bloqueo falha arresto сбой вылет awari 崩溃 クラッシュ 충돌 çökme تعطل क्रैश
performance slow: leistung langsam performance lent rendimiento rápid lento desempenho prestazion lenta snelheid traag производительн медлен wydajno woln 性能 慢 パフォーマンス 遅い 성능 느린 performans yavaş أداء بطيء प्रदर्शन धीमा
refactor clean: räume aufräum refaktor umbau refactor nettoy refactoriz limpia refator limpar rifattorizz puli opruim herschrijf рефактор чист refaktor uporządkuj 重构 リファクタ 整理 리팩터 정리 yeniden_düzenle إعادة_هيكلة रीफैक्टर
maintainability: wartbar maintenabilité mantenib manutenib manutenibilit onderhoudbaar поддерживаем 可维护 保守性 유지보수 bakım صيانة
test testing: test tests prueba teste collaud тест testow 测试 テスト 試験 테스트 اختبار परीक्षण
unit test: modultest unittest einheitentest test_unitaire tests_unitaires prueba_unitaria pruebas_unitarias teste_unitário testes_unitários test_unitari модульн jednostkow 单元测试 単体テスト ユニットテスト 단위_테스트 단위 birim_test اختبار_الوحدة
coverage: abdeck couverture cobertura copertura dekking покрыти pokryci 覆盖率 カバレッジ 커버리지 kapsam تغطية कवरेज
vector: vektor vecteur vector vetor vettor вектор wektor 向量 ベクトル 벡터 vektör متجه
review code: codeprüf überprüfung revue_de_code revisión_de_código revisión revisão_de_código revisão revisione code_review рецензи ревью przegląd 代码审查 コードレビュー 코드_리뷰 kod_inceleme مراجعة_الكود
pull request: pull-request merge-request demande_de_fusion solicitud_de_extracción запрос_на_слияние 拉取请求 プルリクエスト 풀_리퀘스트 çekme_isteği طلب_سحب
description: beschreib description descripción descrição descrizione beschrijv описани opis 描述 说明 説明 설명 açıklama وصف विवरण
specification requirement: spezifikation anforder cahier_des_charges spécification exigence especificación requisito especificação specifica requisit specificatie eis специфик требован specyfik wymaga 规格 需求 规范 仕様 要件 사양 요구사항 şartname gereksinim مواصفات متطلبات विनिर्देश आवश्यकता
architecture: architektur architecture arquitectura arquitetura architettura architectuur архитектур 架构 アーキテクチャ 아키텍처 mimari معمارية वास्तुकला
application app: anwendung application aplicación aplicativo aplicação applicazione toepassing приложен aplikacj 应用 应用程序 アプリ アプリケーション 애플리케이션 앱 uygulama تطبيق एप्लिकेशन ऐप
mobile: mobil handy téléphone_mobile móvil celular telemóvel mobiele мобильн telefon komórk 移动 手机 モバイル スマホ 모바일 휴대폰 mobil cep محمول موبايل मोबाइल
native: nativ natif nativo натив natyw 原生 ネイティブ 네이티브 yerel أصلي
frontend interface ui: benutzeroberfläche oberfläche interface_utilisateur interfaz interface interfaccia gebruikersinterface интерфейс фронтенд interfejs 界面 前端 用户界面 インターフェース フロントエンド 画面 인터페이스 프론트엔드 화면 arayüz واجهة इंटरफ़ेस
component: komponente baustein composant componente component компонент 组件 コンポーネント 컴포넌트 bileşen مكون घटक
responsive: responsiv reaktionsfähig réactif adaptati adaptable responsivo адаптивн responsywn 响应式 レスポンシブ 반응형 duyarlı متجاوب
style css: stil gestaltungs estilo stile stijl стил styl 样式 スタイル 스타일 stil نمط
button menu: knopf schaltfläche bouton botón botão pulsante knop кнопк przycisk 按钮 ボタン 버튼 düğme زر बटन
browser: browser navigateur navegador браузер przegląd 浏览器 ブラウザ 브라우저 tarayıcı متصفح ब्राउज़र
server backend: server serveur servidor сервер serwer 服务器 后端 サーバー バックエンド 서버 백엔드 sunucu خادم सर्वर
service microservice: dienst mikrodienst service servicio microservicio serviço microsserviço servizio microservizi dienst микросервис сервис usług 服务 微服务 サービス マイクロサービス 서비스 마이크로서비스 hizmet خدمة सेवा
mesh: netz maillage malla malha сетк siatk 网格 メッシュ 메시 ağ شبكة
traffic policy: verkehr datenverkehr trafic política_de_tráfico tráfico tráfego traffico verkeer трафик ruch 流量 トラフィック 트래픽 trafik حركة_المرور
network networking: netzwerk réseau red rede rete netwerk сет sieć sieci 网络 ネットワーク 네트워크 ağ شبكة नेटवर्क
synchronization sync: synchronis synchroniz sincroniz синхрон 同步 同期 동기화 senkron مزامنة
offline: offline hors_ligne sin_conexión desconectado fuori_linea офлайн автономн 离线 オフライン 오프라인 çevrimdışı غير_متصل
real time streaming: echtzeit temps_réel tiempo_real tempo_real tempo_reale real-time реальн czas_rzeczywist czasie_rzeczywistym 实时 リアルタイム 실시간 gerçek_zamanlı الوقت_الفعلي
cloud: wolke cloud nuage nube nuvem облак chmur 云 クラウド 클라우드 bulut سحابة क्लाउड
resource: ressource recurso risorsa risorse bron ресурс zasob zasób 资源 リソース 리소스 자원 kaynak مورد موارد संसाधन
deploy deployment: bereitstell ausroll deploy déploi déploy despleg desplieg desplieg implant implantar implementar distribu uitrol разверн развёр деплой wdroż wdraż 部署 发布 デプロイ 配備 배포 dağıt نشر तैनात
production: produktiv produktion production producción produção produzione productie продакшн продакшен produkcj 生产 生产环境 本番 운영 프로덕션 üretim إنتاج उत्पादन
link url: verknüpfung lien enlace ссылк odnośnik 链接 リンク 링크 bağlantı رابط लिंक
container docker image: container conteneur contenedor contêiner contenitor контейнер kontener 容器 镜像 コンテナ 컨테이너 konteyner حاوية
image images: abbild image imágenes imagens immagini образ 镜像 イメージ 이미지 imaj صورة
cluster kubernetes: cluster grappe clúster кластер klaster 集群 クラスタ 클러스터 küme عنقود
database: datenbank base_de_données base_de_datos banco_de_dados database базы_данных база_данных базе_данных баз baza_danych bazy_danych 数据库 データベース 데이터베이스 veritabanı قاعدة_بيانات قاعدة_البيانات डेटाबेस
query sql: abfrage requête consulta interrog zoekopdracht запрос zapytan 查询 クエリ 쿼리 질의 sorgu استعلام क्वेरी
schema: schema schéma esquema схем schemat 模式 架构 スキーマ 스키마 şema مخطط
migration migrate: migration migrier migración migrar migração migrazione migratie миграц migracj 迁移 移行 マイグレーション 마이그레이션 이전 geçiş هجرة ترحيل माइग्रेशन
storage store: speicher stockage stocker almacen armazen archivia opslag opsla хранен хранилищ przechow magazyn 存储 保存 ストレージ 저장 스토리지 depola تخزين भंडारण
backup: sicherung sauvegarde copia_de_seguridad respaldo cópia_de_segurança reservekopie резервн kopia_zapasow 备份 バックアップ 백업 yedek نسخ_احتياطي बैकअप
cache caching: zwischenspeicher cache caché кэш кеш pamięć_podręczn 缓存 キャッシュ 캐시 önbellek تخزين_مؤقت कैश
memory dump: speicherabbild arbeitsspeicher mémoire memoria memória geheugen памят pamięć pamięci 内存 转储 メモリ 메모리 bellek ذاكرة मेमोरी
malware forensics: schadsoftware logiciel_malveillant programa_malicioso вредонос złośliw 恶意软件 マルウェア 악성코드 kötü_amaçlı برمجيات_خبيثة
security secure: sicherheit sicher sécurité seguridad segurança sicurezza beveilig veilig безопасн защит bezpiecze zabezpiecz 安全 セキュリティ 보안 güvenlik أمن أمان सुरक्षा
vulnerability attack: schwachstelle angriff vulnérabilit attaque vulnerabilidad ataque vulnerabilidade vulnerabilit attacco kwetsbaar aanval уязвим атак podatno atak 漏洞 攻击 脆弱性 攻撃 취약점 공격 zafiyet saldırı ثغرة هجوم कमजोरी
password secret key: passwort geheimnis schlüssel mot_de_passe secret clé contraseña secreto clave senha segredo chave password segret chiave wachtwoord geheim sleutel парол секрет ключ hasł sekret klucz 密码 密钥 机密 パスワード 秘密 キー シークレット 비밀번호 비밀 키 parola şifre sır كلمة_المرور سر مفتاح पासवर्ड
encryption cryptographic: verschlüssel kryptograf chiffr cryptograph cifrado criptográf criptograf crittograf versleutel шифр криптограф szyfrow kryptogra 加密 密码学 暗号 암호 şifreleme تشفير एन्क्रिप्शन
login authentication: anmeld authentifi connexion autenticación inicio_de_sesión autentic autenticazione accesso aanmeld inloggen аутентифик вход logowan uwierzyteln 登录 认证 ログイン 認証 로그인 인증 giriş kimlik_doğrulama تسجيل_الدخول مصادقة लॉगिन
access permission: zugriff zugang berechtig rechte accès autorisation acceso permiso acesso permissão permess autorizz toegang rechten machtig доступ разрешен прав dostęp uprawnie 访问 权限 アクセス 権限 접근 권한 erişim izin yetki وصول صلاحية पहुंच अनुमति
temporary: vorübergehend befristet temporär temporaire temporal temporário temporane tijdelijk временн tymczasow 临时 一時的 임시 geçici مؤقت अस्थायी
privileged elevated: erhöht privilegiert privilégi privilegiad privilegi verhoogd bevoorrecht привилегир повышенн uprzywilej 特权 特権 특권 ayrıcalıklı مميز
user: benutzer nutzer utilisateur usuario usuário utente gebruiker пользовател użytkowni 用户 ユーザー 사용자 kullanıcı مستخدم उपयोगकर्ता
monitoring: überwach surveill supervis monitor vigil monitoramento monitoraggio bewak мониторинг наблюд monitorow 监控 監視 モニタリング 모니터링 감시 izleme مراقبة निगरानी
drift: abweich dérive deriva дрейф dryf 漂移 ドリフト 드리프트 kayma انحراف
tracing trace distributed: ablaufverfolg traçage rastreo rastreamento tracciament трассиров śledzen 追踪 链路追踪 トレース 分散トレーシング 추적 트레이싱 izleme تتبع
log: protokoll journal registro log журнал логи dziennik 日志 ログ 로그 günlük_kaydı سجل लॉग
rate limit retry: ratenbegrenz wiederhol limite_de_débit límite_de_tasa límites_de_tasa reintento limite_de_taxa nova_tentativa limite_di_frequenza limiet ограничен_скорост повтор limit 限流 重试 レート制限 リトライ 속도_제한 재시도 hız_sınırı حد_المعدل
queue: warteschlange file_d'attente cola fila coda wachtrij очеред kolejk 队列 排队 キュー 待ち行列 대기열 큐 kuyruk طابور
simulation simulate: simul simulación simulação simulazione simulatie симуляц моделирован symulac 模拟 仿真 シミュレーション 시뮬레이션 simülasyon محاكاة सिमुलेशन
event: ereignis événement événements evento gebeurtenis событи zdarze 事件 イベント 이벤트 olay حدث घटना
machine learning model: maschinelles_lernen modell apprentissage_automatique modèle aprendizaje_automático modelo aprendizado_de_máquina modello apprendimento_automatico model машинн_обуч машинное модел uczenie_maszynowe 机器学习 模型 機械学習 モデル 머신러닝 기계학습 모델 makine_öğrenimi model تعلم_الآلة نموذج मशीन_लर्निंग मॉडल
train training: trainier train entraîn entren trein addestr getraind trainen обуч натрен trenow wytrenuj 训练 訓練 トレーニング 훈련 학습 eğit تدريب प्रशिक्षण
reinforcement learning: bestärkend verstärk apprentissage_par_renforcement refuerzo reforço rinforzo versterk подкреплен wzmacni 强化学习 強化学習 강화학습 pekiştirmeli التعلم_المعزز
neural network: neuronal réseau_de_neurones red_neuronal rede_neural rete_neurale neuraal нейрон neuronow 神经网络 ニューラル 신경망 sinir_ağı شبكة_عصبية
quantum: quanten quantique cuántic quântic quantistic kwantum квант kwantow 量子 양자 kuantum كم क्वांटम
circuit: schaltkreis schaltung circuit circuito цеп схем obwód 电路 回路 회로 devre دائرة
agent assistant: agent assistent agente asistente assistente агент ассистент asystent 代理 智能体 助手 エージェント アシスタント 에이전트 어시스턴트 ajan asistan وكيل مساعد एजेंट
variant variants: variante varianten variantes вариант wariant 变异 バリアント 変異 변이 varyant متغير
library package: bibliothek paket bibliothèque paquet biblioteca paquete pacote libreria pacchett bibliotheek pakket библиотек пакет bibliotek pakiet 库 包 软件包 ライブラリ パッケージ 라이브러리 패키지 kütüphane paket مكتبة حزمة लाइब्रेरी
dependency: abhängigkeit dépendance dependencia dependência dipendenz afhankelijk зависимост zależno 依赖 依存関係 의존성 bağımlılık تبعية निर्भरता
upgrade update: aktualisier mettre_à_jour mise_à_jour actualiz atualiz aggiorn bijwerk обнов zaktualiz aktualiz 更新 升级 アップグレード 更新 업그레이드 업데이트 güncelle تحديث ترقية अपडेट
version release: version versión versão versione versie верси wersj 版本 バージョン 버전 sürüm إصدار संस्करण
install setup: einricht installier installer configur instal impost instelle installeer установ настро zainstal skonfigur ustaw 安装 设置 配置 インストール 設定 설치 설정 kur ayarla تثبيت إعداد स्थापित
configure settings: konfigur einstell configur paramètre configuración ajuste configuração impostazion configura instelling конфигур настрой konfigur 配置 設定 구성 yapılandır تكوين कॉन्फ़िगर
repository git: repository dépôt repositorio repositório репозитор repozytor 仓库 リポジトリ 저장소 depo مستودع
monorepo: monorepo монорепозитор 单一仓库 モノレポ 모노레포
workspace: arbeitsbereich espace_de_travail espacio_de_trabajo espaço_de_trabalho area_di_lavoro werkruimte рабоч obszar_robocz 工作区 ワークスペース 작업공간 çalışma_alanı مساحة_العمل
automate automation: automatisier automatis automatiz automazione автоматиз zautomat 自动化 自動化 자동화 otomasyon otomatik أتمتة स्वचालन
script tool utility: werkzeug hilfsprogramm outil herramienta ferramenta strumento hulpmiddel gereedschap инструмент утилит narzędzi 工具 脚本 ツール スクリプト 도구 스크립트 araç أداة उपकरण
plugin extension: erweiterung greffon extension complemento extensión extensão estensione uitbreiding плагин расширен wtyczk rozszerzeni 插件 扩展 プラグイン 拡張 플러그인 확장 eklenti إضافة प्लगइन
generate: generier erzeug génér gener сгенерир wygener 生成 生成する 생성 oluştur توليد إنشاء उत्पन्न
file: datei fichier archivo fichero arquivo ficheiro file bestand файл plik 文件 ファイル 파일 dosya ملف फ़ाइल
folder directory: ordner verzeichnis dossier répertoire carpeta directorio pasta cartella map_met папк каталог folder katalog 文件夹 目录 フォルダ ディレクトリ 폴더 디렉터리 klasör مجلد फ़ोल्डर
chat real time: chatten clavarder chatear bate-papo чат czat 聊天 チャット 채팅 sohbet دردشة चैट
embed integrate: einbett einbind intégr integrar incorporar integrare insluiten встро интегрир osadz zintegr 嵌入 集成 埋め込み 統合 임베드 통합 göm entegre تضمين دمج एकीकृत
virtual: virtuell virtuel virtual virtuale virtueel виртуальн wirtualn 虚拟 仮想 バーチャル 가상 sanal افتراضي आभासी
static analysis lint: statische_analyse analyse_statique análisis_estático análise_estática analisi_statica статическ statyczn 静态分析 静的解析 정적_분석 statik_analiz تحليل_ثابت
screenshot: bildschirmfoto capture_d'écran captura_de_pantalla captura_de_tela schermafbeelding скриншот zrzut 截图 スクリーンショット 스크린샷 ekran_görüntüsü لقطة_شاشة
screen: bildschirm écran pantalla tela schermo scherm экран ekran 屏幕 画面 화면 ekran شاشة स्क्रीन
profile: profil profile perfil profilo profiel профил 配置文件 プロファイル 프로필 profil ملف_شخصي
fan cooling: lüfter ventilateur ventilador ventola ventilator вентилятор wentylator 风扇 ファン 팬 fan مروحة पंखा
infrastructure: infrastruktur infrastructure infraestructura infraestrutura infrastruttura infrastructuur инфраструктур 基础设施 インフラ 인프라 altyapı بنية_تحتية
web: netz- web réseau_web веб 网络 ウェブ 웹 ويب वेब
scrape crawl: auslese scraper extraer_datos raspar estrarre_dati скрап парс 爬虫 抓取 スクレイピング クローリング 크롤링 스크래핑 kazıma كشط
pipeline etl: datenpipeline tubería canalización конвейер potok 流水线 パイプライン 파이프라인 boru_hattı خط_أنابيب
parallel: parallel parallèle paralel параллел równoleg 并行 並列 병렬 paralel متوازي
function feature: funktion fonction función funcional função funzion functie функци funkcj 功能 函数 機能 関数 기능 함수 işlev özellik وظيفة फ़ंक्शन
branch commit git: zweig branche rama ramo ветк коммит gałąź 分支 提交 ブランチ コミット 브랜치 커밋 dal فرع
message commit: commit-nachricht message_de_commit mensaje_de_commit mensagem_de_commit 提交信息 コミットメッセージ 커밋_메시지 कमिट
algorithm: algorithm algoritm algorithme алгоритм algorytm 算法 アルゴリズム 알고리즘 خوارزمية एल्गोरिथ्म
statistics: statistik statistique estadístic estatístic statistic статистик statysty 统计 統計 통계 istatistik إحصاء सांख्यिकी
contract solidity: smart-contract contrat_intelligent contrato_inteligente contratto_intelligente умн_контракт смарт-контракт 智能合约 スマートコントラクト 스마트_컨트랙트 akıllı_sözleşme عقد_ذكي
3d rendering: rendern rendu renderiz рендер 渲染 レンダリング 렌더링 işleme تصيير
robot robotics: roboter robot robótica robotica робот 机器人 ロボット 로봇 روبوت रोबोट
hardware device: gerät appareil dispositivo apparaat устройств urządzeni 设备 硬件 デバイス ハードウェア 장치 기기 cihaz جهاز उपकरण
`
