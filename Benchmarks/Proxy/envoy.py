"""Envoy's configuration: it ends TLS and starts it again with a fixed field, by HTTP/1.1 or HTTP/2."""

from laboratory import H2_HOST, HOST

TYPES = "type.googleapis.com/envoy.extensions"
TLS = f"{TYPES}.transport_sockets.tls.v3"
HTTP = f"{TYPES}.filters.network.http_connection_manager.v3.HttpConnectionManager"
OPTIONS = f"{TYPES}.upstreams.http.v3.HttpProtocolOptions"


def address(port):
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def cluster(peer, name, host, port, protocol):
    tls = {
        "@type": f"{TLS}.UpstreamTlsContext",
        "sni": host,
        "common_tls_context": {
            # A client of Envoy's goes no further than TLS 1.2 by default.
            "tls_params": {"tls_maximum_protocol_version": "TLSv1_3"},
            "alpn_protocols": ["h2"] if protocol == "http2_protocol_options" else ["http/1.1"],
            "validation_context": {
                "trusted_ca": {"filename": str(peer.laboratory.folder / "ca.pem")},
                "match_typed_subject_alt_names": [{"san_type": "DNS", "matcher": {"exact": host}}],
            },
        },
    }
    options = {"@type": OPTIONS, "explicit_http_config": {protocol: {}}}
    limits = dict.fromkeys(("max_connections", "max_requests", "max_pending_requests"), 4096)
    return {
        "name": name,
        "load_assignment": {
            "cluster_name": name,
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(port)}}]}],
        },
        "circuit_breakers": {"thresholds": [limits]},
        "typed_extension_protocol_options": {OPTIONS.removeprefix("type.googleapis.com/"): options},
        "transport_socket": {"name": "tls", "typed_config": tls},
    }


def listener(peer, port, authorization, tls):
    field = {
        "header": {"key": "Authorization", "value": authorization.replace("%", "%%")},
        "append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
    }
    hosts = []
    for name, domains in ("h2", [H2_HOST]), ("api", ["*"]):
        route = {"match": {"prefix": "/"}, "route": {"cluster": name, "timeout": "0s"}}
        hosts.append({"name": name, "domains": domains, "routes": [route]})
    manager = {
        "@type": HTTP,
        "stat_prefix": "benchmark",
        "route_config": {"virtual_hosts": hosts, "request_headers_to_add": [field]},
        "http_filters": [{"name": "router", "typed_config": {"@type": f"{TYPES}.filters.http.router.v3.Router"}}],
    }
    chain = {"filters": [{"name": "http", "typed_config": manager}]}
    if tls:
        chain["transport_socket"] = {"name": "tls", "typed_config": tls}
    return {"name": str(port), "address": address(port), "filter_chains": [chain]}


def configuration(peer, authorization):
    folder = peer.laboratory.folder
    certificate = {
        "certificate_chain": {"filename": str(folder / "server.pem")},
        "private_key": {"filename": str(folder / "server.key")},
    }
    tls = {
        "@type": f"{TLS}.DownstreamTlsContext",
        "common_tls_context": {"tls_certificates": [certificate], "alpn_protocols": ["h2", "http/1.1"]},
    }
    return {
        "static_resources": {
            "listeners": [
                listener(peer, peer.port, authorization, tls), listener(peer, peer.plain_port, authorization, None),
            ],
            "clusters": [
                cluster(peer, "api", HOST, peer.upstream.port, "http_protocol_options"),
                cluster(peer, "h2", H2_HOST, peer.upstream.h2_port, "http2_protocol_options"),
            ],
        }
    }
