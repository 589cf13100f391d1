// libyaml for Swift. The importer sees all of it, so nothing stands here but its header.
#ifndef TELECAP_CYAML_SHIM_H
#define TELECAP_CYAML_SHIM_H

#include <yaml.h>

#endif
