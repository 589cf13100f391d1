"""What MkDocs does for these pages (mkdocs.yml) that it has no setting for: anchors as GitHub makes them, every page in the
navigation, and pages whose links and resources exist and are local."""
import glob
import os
import re
from urllib.parse import unquote

from mkdocs.exceptions import PluginError

LINK = re.compile(r'<(\w+)[^>]*?\s(?:src|href)="([^"#?]*)')


def slug(heading, separator):
    """The anchor that GitHub makes of a heading, as Scripts/links checks it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    return config


def on_nav(nav, config, files):
    missing = [file.src_path for file in files.documentation_pages() if file.page not in nav.pages]
    if missing:
        raise PluginError(f"mkdocs.yml: nav has no entry for {', '.join(missing)}; add one")
    return nav


def on_post_build(config):
    """Without requests to other hosts the pages also work without a network. MkDocs checks links between pages only."""
    site, errors = config["site_dir"], []
    for page in sorted(glob.glob(os.path.join(site, "**/*.html"), recursive=True)):
        # Links of 404.html begin at the root of the server.
        if os.path.basename(page) == "404.html":
            continue
        with open(page, encoding="utf-8") as file:
            for tag, target in LINK.findall(file.read()):
                is_elsewhere = re.match(r"[a-z]+:|//", target)
                if is_elsewhere and tag != "a" and not target.startswith("data:"):
                    errors.append(f"{os.path.relpath(page, site)}: {target} is loaded from another host")
                if not is_elsewhere and not os.path.isfile(os.path.join(os.path.dirname(page), unquote(target))) and target:
                    errors.append(f"{os.path.relpath(page, site)}: there is no file {target}")
    if errors:
        raise PluginError("\n".join(sorted(set(errors))))
