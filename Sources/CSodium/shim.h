// libsodium comes with libzmq, which needs it for CURVE; here it computes checksums.
#ifndef CSODIUM_SHIM_H
#define CSODIUM_SHIM_H

#include <sodium/crypto_hash_sha256.h>

#endif
