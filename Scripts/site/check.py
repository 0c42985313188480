"""Opens pages of the site from the disk, in a browser 390 pixels wide, and runs axe on them.

check.py SITE [PAGE...]

Without names, it opens every page that is not of a Swift symbol, and every twentieth of those.
"""
import pathlib
import shutil
import sys

from axe_core_python.selenium import Axe
from selenium import webdriver

site = pathlib.Path(sys.argv[1]).resolve()
names = sys.argv[2:]
if not names:
    symbols = sorted(str(file.relative_to(site)) for file in site.glob("*/*.html") if file.name != "index.html")
    names = sorted(str(file.relative_to(site)) for file in [*site.glob("*.html"), *site.glob("*/index.html")]) + symbols[::20]
options = webdriver.ChromeOptions()
for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
    options.add_argument(argument)
# A page that asks another host gets nothing.
options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
mistakes = 0
try:
    for name in names:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        )
        browser.get((site / name).as_uri())
        found = [f"axe: {rule['id']}: {rule['nodes'][0]['html'][:150]}" for rule in Axe().run(browser)["violations"]]
        width = browser.execute_script("return document.documentElement.scrollWidth")
        if width > 390:
            found.append(f"the page is {width} pixels wide")
        loaded = browser.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
        found += [f"loads {address}" for address in loaded if not address.startswith("file:")]
        for mistake in found:
            print(f"{name}: {mistake}")
        mistakes += len(found)
finally:
    browser.quit()
print(f"site: {len(names)} pages opened, {mistakes} mistakes")
sys.exit(1 if mistakes else 0)
